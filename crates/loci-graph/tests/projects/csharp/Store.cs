using System.Collections.Generic;
using Shop.Model;

namespace Shop.Storage
{
    public interface IStore<T>
    {
        bool Save(T item);
        void Close();
    }

    public abstract class BaseStore<T> : IStore<T>
    {
        protected readonly string name;

        protected BaseStore(string name) { this.name = name; }

        public abstract bool Save(T item);

        public virtual void Close() => Log("closed");

        protected void Log(string text) { }
    }

    public sealed class OrderStore : BaseStore<Order>
    {
        public OrderStore(string name) : base(name) { }

        public override bool Save(Order item)
        {
            Log(item.Label());
            return item.Total > 0;
        }

        public static OrderStore Open(string name) => new OrderStore(name);
    }
}
