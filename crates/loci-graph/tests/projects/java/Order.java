package shop.model;

import java.util.List;

public record Order(int id, List<Line> lines) {
    public static class Line {
        private final int price;

        public Line(int price) {
            this.price = price;
        }

        public int cost() {
            return Rounding.UP.apply(price);
        }
    }

    public enum Rounding {
        UP {
            @Override
            int apply(int value) {
                return value + 1;
            }
        };

        abstract int apply(int value);
    }

    public String label() {
        return "order " + id();
    }

    public int total() {
        return lines.stream().mapToInt(Line::cost).sum();
    }
}
