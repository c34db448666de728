"""What a constructor does to the items of a container that it is given, by a method of its own. Each program was run:
it fails where `LP116` is expected, and only there."""

from __future__ import annotations

import pytest

from tests.support import marks

_TREE = """\
import multiprocessing
import weakref
from dataclasses import dataclass, field


@dataclass(eq=False)
class Folder:
    name: str
    entries: {annotation}
    label: str = ""

    def __post_init__(self):
        self._parent = None
        {begin}

    @property
    def parent(self):
        return self._parent() if self._parent else None

    @parent.setter
    def parent(self, folder):
        self._parent = {reference}

    def adopt(self, entry):
        {adopt}

    def rename(self, entry):
        entry.label = self.name


def size(folder):
    return len(folder.name)


def children():
    found = []
    for name in "ab":
        found.append(Folder(name, []))
    return found


def main():
    top = {top}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(size, {sent}))


if __name__ == "__main__":
    main()
"""


def _codes(
    begin: str = "for entry in self.entries:\n            self.adopt(entry)",
    adopt: str = "entry.parent = self",
    annotation: str = "list = field(default_factory=list)",
    reference: str = "weakref.ref(folder)",
    top: str = 'Folder("top", [Folder("a"), Folder("b")])',
    sent: str = "top.entries",
) -> list[str]:
    text = _TREE.format(begin=begin, adopt=adopt, annotation=annotation, reference=reference, top=top, sent=sent)
    return [code for _, code in marks(text)]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"annotation": "list"},
        {"top": 'Folder("top", children())'},
        {"top": 'Folder(name="top", entries=[Folder(name, []) for name in "ab"])'},
        {"adopt": "entry._parent = weakref.ref(self)"},
        {"begin": "for number, entry in enumerate(self.entries):\n            self.adopt(entry)"},
        {"reference": "folder and weakref.ref(folder)"},
        {"annotation": "dict", "top": 'Folder("top", {"a": Folder("a", {})})', "sent": "top.entries.values()",
         "begin": "for entry in self.entries.values():\n            self.adopt(entry)"},
    ],
)  # fmt: skip
def test_what_a_helper_stores_on_each_item(given: dict[str, str]) -> None:
    if given.get("annotation") == "list":
        given = {**given, "top": 'Folder("top", [Folder("a", []), Folder("b", [])])'}
    assert _codes(**given) == ["LP116"]


@pytest.mark.parametrize(
    "given",
    [
        {"sent": '[Folder("c"), Folder("d")]'},
        {"begin": "for entry in self.entries:\n            self.rename(entry)"},
        {"adopt": "entry.label = self.name"},
        {"reference": "folder.name"},
        {"adopt": "return Folder(entry.name)"},
        {"begin": "pass"},
        {"top": 'Folder("top")', "sent": "[top]"},
        {"adopt": "entry.label = str(weakref.ref(self))"},
    ],
)
def test_what_leaves_the_items_as_they_are(given: dict[str, str]) -> None:
    assert _codes(**given) == []
