namespace Shop.Model;

public class Line
{
    public int Price { get; set; }

    public int Cost() => Price;
}
