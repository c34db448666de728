"""LP612: array-subclass-loses-attributes."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP612"


SHIPPED = """\
import pickle
import numpy as np


class Q(np.ndarray):
    def __new__(cls, n, unit):
        return super().__new__(cls, n)

    def __init__(self, n, unit):
        {stored}
{more}

def main():
    pickle.dumps(Q(3, "m"))
"""


@pytest.mark.parametrize("stored", ["self.unit = unit", "self.flags_of = {}", "self.unit, self.n = unit, n"])
def test_an_attribute_of_its_own(stored: str) -> None:
    assert "LP612" in {code for _, code in marks(SHIPPED.format(stored=stored, more=""))}


@pytest.mark.parametrize(
    ("stored", "more"),
    [
        pytest.param("pass", "", id="none"),
        pytest.param("self.unit = unit", "    unit = 'm'\n", id="the class has it too"),
        pytest.param("self.unit = unit", "    def __reduce__(self):\n        return Q, (3, self.unit)\n", id="reduce"),
        pytest.param("self.unit = unit", "    def __setstate__(self, state):\n        pass\n", id="setstate"),
    ],
)
def test_nothing_is_lost(stored: str, more: str) -> None:
    assert "LP612" not in {code for _, code in marks(SHIPPED.format(stored=stored, more=more))}
