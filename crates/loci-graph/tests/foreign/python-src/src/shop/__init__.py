"""A shop in four small files, made to be read by indexers."""

from shop.cart import Cart

__all__ = ["Cart"]
