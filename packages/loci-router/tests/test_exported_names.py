"""The public names of `loci.router`: complete, sorted, documented."""

import doctest
from inspect import ismodule
from typing import Literal, get_origin

import loci.router
from loci.router import advice, index, question, statement
from loci.router.question import code_names


def test_all_is_sorted_and_complete() -> None:
    exported = loci.router.__all__
    assert exported == sorted(exported, key=lambda name: (name.upper() != name, not name[0].isupper(), name))
    public = {name for name, value in vars(loci.router).items() if not name.startswith("_") and not ismodule(value)}
    assert public - {"annotations"} == {
        name for name in exported if not name.startswith("_") and not ismodule(getattr(loci.router, name))
    }


def test_everything_public_is_documented() -> None:
    for name in loci.router.__all__:
        value = getattr(loci.router, name)
        if get_origin(value) is Literal:
            continue  # Its documentation stands below it, where only a reader sees it.
        assert isinstance(value, (tuple, str)) or (value.__doc__ and len(value.__doc__) > 20), name


def test_the_examples_in_the_documentation_run() -> None:
    for module in (loci.router, index, advice, code_names, question, statement):
        failed, attempted = doctest.testmod(module)
        assert attempted > 0 and failed == 0
