namespace Shop.Model;

public record Order(int Id)
{
    public class Line
    {
        public int Price { get; set; }
        public int Cost() => Price.Rounded();
    }

    public Line First { get; } = new Line();

    public int Total => First.Cost();

    public string Label() => $"order {Id}";
}

public static class IntExtensions
{
    public static int Rounded(this int value) => value;
}
