"""LP607: frozen-slots-without-state."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import KEPT, rows


class TestPage(PageTests):
    code = "LP607"


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("__slots__ = ('a',)\n    def __setattr__(self, k, v): raise TypeError('no')", True),
        ("__slots__ = ['a']\n    def __setattr__(self, k, v): raise TypeError", True),
        ("def __setattr__(self, k, v): raise TypeError('no')", False),
        ("__slots__ = ()\n    def __setattr__(self, k, v): raise TypeError('no')", False),
        ("__slots__ = ('a',)\n    def __setattr__(self, k, v): object.__setattr__(self, k, v)", False),
        ("__slots__ = ('a',)\n    def __setattr__(self, k, v):\n        if k != 'a': raise TypeError(k)", False),
        (
            "__slots__ = ('a',)\n    def __setattr__(self, k, v): raise TypeError\n    def __setstate__(self, s): ...",
            False,
        ),
    ],
)
def test_slots_that_cannot_be_set(body: str, fires: bool) -> None:
    assert bool(rows(f"class A:\n    {body}\n{KEPT}", "LP607")) is fires
