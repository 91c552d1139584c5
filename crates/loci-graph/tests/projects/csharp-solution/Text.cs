namespace Shop.Text;

public static class Shouting
{
    public static string Shout(this string text) => text + "!";

    public static string Label(this Shop.Orders.Order order) => order.Name().Shout();

    public static string Label(this Shop.Model.Line line) => "line";
}
