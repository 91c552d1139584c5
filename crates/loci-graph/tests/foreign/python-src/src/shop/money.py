"""Amounts of money, in cents."""

TAX = 19


def with_tax(cents: int) -> int:
    """Adds the tax to an amount."""
    return cents + round(cents * TAX / 100)


class Rounding:
    """How an amount is rounded."""

    def apply(self, cents: int) -> int:
        return cents


class Cash(Rounding):
    """Rounds to five cents."""

    def apply(self, cents: int) -> int:
        return 5 * round(cents / 5)
