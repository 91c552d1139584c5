package shop.tools;

public final class Checks {
    public static <T> T require(T value) {
        return value;
    }
}
