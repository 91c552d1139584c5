using System;
using F = A.B;
namespace A.B {
  /// <summary>Doc. More</summary>
  [Serializable]
  public class Cart<T> : Base, IShop {
    private readonly Client _client = new Client();
    public int Size { get; set; }
    public Cart(Client c) : base(c) { this._client = c; }
    public async Task<Item> Total(int x, Func<int> h) { var it = Find(x); it.Go(); h(); _client.Get()?.Send(Max); foreach (var i in items) { i.Z(); } return new Foo<int>(x).Build<int>(); }
    [Fact] public void Works() { Assert.Equal(1, Total(2, null)); }
  }
  interface IShop { int K(); }
  enum Color { Red, Green = 2 }
  struct S { public int a; }
  delegate void D(int x);
}
