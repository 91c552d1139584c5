namespace Elsewhere;

public static class Whispering
{
    public static string Whisper(this string text) => text + ".";
}
