"""What a customer is about to buy."""

from shop import money
from shop.money import Rounding, with_tax


class Cart:
    """Items with their prices."""

    def __init__(self, rounding: Rounding) -> None:
        self.items: list[int] = []
        self.rounding = rounding

    def add(self, cents: int) -> None:
        """Puts one item in."""
        self.items.append(cents)

    def total(self) -> int:
        """The price of everything, with tax."""
        return self.rounding.apply(sum(with_tax(item) for item in self.items))


def checkout(prices: list[int]) -> int:
    cart = Cart(money.Cash())
    for cents in prices:
        cart.add(cents)
    return cart.total()


if __name__ == "__main__":
    checkout([100])
