"""LP610: getstate-loses-slots."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP610"


_TEXT = """
class Base:
    {base}


class Row(Base):
    {slots}

    def __init__(self, path):
        self.path = path
        self.size = 0

    def __getstate__(self):
        {body}
{more}
"""


@pytest.mark.parametrize(
    ("base", "slots", "body", "fires"),
    [
        ("pass", "__slots__ = ('path',)", "return self.__dict__.copy()", True),
        ("pass", "__slots__ = 'path'", "return {k: v for k, v in vars(self).items()}", True),
        ("__slots__ = ()", "__slots__ = ['path', 'size']", "return dict(self.__dict__)", True),
        ("__slots__ = ('path', '__dict__')", "pass", "return self.__dict__.copy()", True),
        ("__slots__ = ('other',)", "pass", "return self.__dict__.copy()", False),
        ("pass", "pass", "return self.__dict__.copy()", False),
        ("pass", "__slots__ = ('path',)", "return self.__dict__, {'path': self.path}", False),
        ("pass", "__slots__ = ('path',)", "return {s: getattr(self, s) for s in self.__slots__}", False),
        ("pass", "__slots__ = ('path',)", "return {**self.__dict__, **super().__getstate__()[1]}", False),
        ("pass", "__slots__ = ('path',)", "return (self.path, self.size)", False),
    ],
)
def test_states_without_slots(base: str, slots: str, body: str, fires: bool) -> None:
    text = _TEXT.format(base=base, slots=slots, body=body, more="")
    assert ([code for _, code in marks(text)] == ["LP610"]) is fires


def test_a_slot_that_is_restored_otherwise() -> None:
    more = "\n    def __setstate__(self, state):\n        self.__dict__.update(state)\n        self.path = ''\n"
    text = _TEXT.format(base="pass", slots="__slots__ = ('path',)", body="return self.__dict__.copy()", more=more)
    assert marks(text) == []


@pytest.mark.parametrize(("sent", "steps"), [("pool.map(len, [Row('a')])", True), ("print(Row('a'))", False)])
def test_what_is_seen_to_cross_is_told_with_its_way(sent: str, steps: bool) -> None:
    text = _TEXT.format(base="pass", slots="__slots__ = ('path',)", body="return self.__dict__.copy()", more="")
    main = f"def main():\n    with Pool(2) as pool:\n        {sent}\n\nif __name__ == '__main__':\n    main()\n"
    (found,) = lint(f"from multiprocessing import Pool\n{text}\n{main}").diagnostics
    assert any("pickles it" in each.message for each in found.trail) is steps
    assert (len(found.start_methods) == 3) is steps
