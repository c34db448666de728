"""Subclasses of `Counter`, `defaultdict` and the like: their `__reduce__` sends no attribute."""

from __future__ import annotations

import pytest

from tests.support import marks

_COUNTS = """\
import pickle
import typing
from collections import Counter, OrderedDict, UserDict, defaultdict, deque
from decimal import Decimal


class Counts({base}):
    def freeze(self):
        total = sum(self)
        self.share = lambda: total


counts = Counts({given})
counts.freeze()
pickle.dumps(counts)
"""


@pytest.mark.parametrize(
    ("base", "given"),
    [
        ("Counter", ""),
        ("defaultdict", "int"),
        ("typing.DefaultDict[str, int]", "int"),
        ("typing.Counter[str]", ""),
        ("Decimal", "1"),
    ],
)
def test_their_attributes_do_not_cross(base: str, given: str) -> None:
    assert "LP102" not in [code for _, code in marks(_COUNTS.format(base=base, given=given))]


@pytest.mark.parametrize("base", ["dict", "OrderedDict", "UserDict", "deque", "typing.Deque[int]", "list"])
def test_those_of_others_do(base: str) -> None:
    assert "LP102" in [code for _, code in marks(_COUNTS.format(base=base, given=""))]
