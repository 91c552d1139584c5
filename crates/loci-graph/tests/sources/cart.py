"""Module."""
from __future__ import annotations
import os, json as j
from .a import B, c as d
from ..pkg.mod import *

__all__ = ["B", "Foo"]
MAX = 3

# The doc
# more. And.
@decor(1)
class Foo(Base, mod.Other[int], metaclass=Meta):
    """Foo doc. More text."""
    x: int = 3
    y = property(get_y)

    def __init__(self, session: Session, n=4, *args: int, **kw):
        self.session = session
        self.client = make(n)
        self.z: pkg.Client = None

    @property
    def size(self) -> Optional[int]:
        return self.client.len()

    @staticmethod
    def st(a): return helper(a)

def run(handler, items: list[Foo]) -> Foo:
    import lazy
    handler(1)
    f = Foo(1, 2)
    f.size()
    [g(q) for q in items]
    make_app().run(callback, x=MAX)
    ", ".join(items)
    with open("x") as fh:
        fh.read()
    map(lambda z: z.foo(), items)
    return os.path.join(f.session.url, f"{calc(1)}")

add = lambda a, b: a + b
def test_it(): assert run
