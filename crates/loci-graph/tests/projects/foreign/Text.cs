namespace Shop;

public class SqlText
{
    public SqlText JoinAll(string part) { return this; }

    public int MaxOf(int a) { return a; }

    public string Build(string[] parts)
    {
        MaxOf(1);
        return string.JoinAll(",", parts) + Math.MaxOf(1, 2);
    }
}
