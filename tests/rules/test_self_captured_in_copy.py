"""LP120: self-captured-in-copy."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import NET, codes


class TestPage(PageTests):
    code = "LP120"


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("self.act = lambda x: self.linear(x)", True),
        ("self.acts = [lambda x: self.linear(x)]", True),
        ("self.act = lambda x: x * 2", False),
        ("self.act = lambda x, factor=2: x * factor", False),
        ("self.act = self.forward", False),
    ],
)
@pytest.mark.parametrize("copied", [True, False])
def test_a_function_that_keeps_the_original(statement: str, fires: bool, copied: bool) -> None:
    more = "\ndef averaged():\n    return copy.deepcopy(Net())\n" if copied else ""
    assert ("LP120" in codes(NET.format(body=" " * 8 + statement) + more)) is (fires and copied)


def test_a_function_that_keeps_another_object() -> None:
    maker = "class Maker:\n    def made(self):\n        return lambda x: self.scale(x)\n"
    copied = "\ndef averaged():\n    return copy.deepcopy(Net())\n"
    assert "LP120" not in codes(maker + NET.format(body=" " * 8 + "self.act = Maker().made()") + copied)
