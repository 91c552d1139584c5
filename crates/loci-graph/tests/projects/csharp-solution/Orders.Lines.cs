using static Shop.Math.Prices;

namespace Shop.Orders;

public partial class Order
{
    private readonly Line first = new Line();

    public int Total() => Round(first.Cost());

    public string Title() => Name().Shout();

    public static Order Empty() => new Order();
}
