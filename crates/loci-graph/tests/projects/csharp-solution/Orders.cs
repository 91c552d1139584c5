namespace Shop.Orders;

public partial class Order
{
    public string Name() => "order";
}
