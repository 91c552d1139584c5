using Shop.Model;
using Shop.Storage;

namespace Shop;

[Service(Name = "orders")]
public partial class OrderService
{
    private readonly IStore<Order> _store;
    private OrderStore? Fallback { get; set; }

    public OrderService(IStore<Order> store) { _store = store; }

    public int Place(Order order)
    {
        if (!_store.Save(order)) Fallback?.Save(order);
        var store = OrderStore.Open("other");
        store.Close();
        var line = new Order.Line { Price = 1 };
        return line.Cost() + order.First.Cost();
    }
}
