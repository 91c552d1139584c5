namespace Shop.Orders.Tests;

public class OrderTests
{
    [Fact]
    public async Task Total()
    {
        var order = Order.Empty();
        order.Total();
        order.Label();
        string name = order.Name();
        name.Shout();
        name.Whisper();
        "literal".Shout();
    }
}
