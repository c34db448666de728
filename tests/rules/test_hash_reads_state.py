"""LP613: hash-reads-state."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.pickling_hooks import indented, rows
from tests.support import lint


class TestPage(PageTests):
    code = "LP613"


_CLASS = """\
import pickle


class Node:
    limit = 3

    def __init__(self, name):
        self.name = name
        self.near = {near}
        self.far = set()

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        {hashing}
{more}

    def link(self, other):
{body}

    def forget(self):
        self.near.clear()


a, b = Node("a"), Node("b")
a.link(b)
pickle.loads(pickle.dumps({sent}))
"""
_BOTH = "self.near.add(other)\nother.near.add(self)"


def _rows(
    body: str = _BOTH,
    hashing: str = "return hash(self.name)",
    near: str = "set()",
    more: str = "",
    sent: str = "a",
) -> list[int]:
    body = indented(body)
    return rows(_CLASS.format(body=body, hashing=hashing, near=near, more=more, sent=sent), "LP613")


@pytest.mark.parametrize("sent", ["a", "[a, b]", "{'a': a}", "(1, b)"])
def test_what_is_sent(sent: str) -> None:
    assert _rows(sent=sent) == [15]


@pytest.mark.parametrize(
    "body",
    [
        _BOTH,
        "self.near.add(other)\nother.far.add(self)",
        "if other not in self.near:\n    self.near.add(other)\n    other.link(self)",
    ],
)
def test_links_of_sets(body: str) -> None:
    assert _rows(body) == [15]


@pytest.mark.parametrize("near", ["{}", "dict()"])
def test_links_of_keys(near: str) -> None:
    assert _rows("self.near[other] = 1\nother.near[self] = 1", near=near) == [15]


def test_a_way_in_another_method() -> None:
    assert _rows(hashing="return self.key()", more="\n    def key(self):\n        return hash(self.name)\n") == [15]


_SPLIT = """\
import pickle


class Node:
    def __init__(self, name):
        self.name = name
        self.near = set()

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def point_to(self, other):
        self.near.add(other)


{linking}
"""


@pytest.mark.parametrize(
    "linking",
    [
        "a, b = Node(1), Node(2)\na.near.add(b)\nb.near.add(a)\npickle.loads(pickle.dumps(a))",
        "a, b = Node(1), Node(2)\na.point_to(b)\nb.point_to(a)\npickle.loads(pickle.dumps(a))",
        "a = Node(1)\na.near.add(a)\npickle.loads(pickle.dumps(a))",
        "nodes = [Node(1), Node(2)]\n\n\ndef main(edges):\n    for i, j in edges:\n"
        "        nodes[i].point_to(nodes[j])\n        nodes[j].point_to(nodes[i])\n"
        "    pickle.loads(pickle.dumps(nodes))\n\n\nmain([(0, 1)])",
    ],
)
def test_links_outside_of_the_class(linking: str) -> None:
    assert rows(_SPLIT.format(linking=linking), "LP613") == [12]


@pytest.mark.parametrize(
    "linking",
    [
        "a, b = Node(1), Node(2)\na.near.add(b)\npickle.loads(pickle.dumps(a))",  # no circle
        "a, b = Node(1), Node(2)\na.point_to(b)\na.point_to(b)\npickle.loads(pickle.dumps(a))",
        "a, b = Node(1), Node(2)\na.near.add(b.name)\nb.near.add(a.name)\npickle.loads(pickle.dumps(a))",
        "a, b = Node(1), Node(2)\na.near.add(b)\nb.near.add(a)\nprint(a)",
    ],
)
def test_no_circle(linking: str) -> None:
    assert not rows(_SPLIT.format(linking=linking), "LP613")


@pytest.mark.parametrize(
    ("body", "near"),
    [
        ("self.near.append(other)\nother.near.append(self)", "[]"),
        ("self.near.add(other)", "set()"),
        ("self.near.add(other)\nother.parent = self", "set()"),
        ("self.near.add(other.name)\nother.near.add(self.name)", "set()"),
        ("self.near[other.name] = other\nother.near[self.name] = self", "{}"),
        ("self.near.add(id(other))\nother.near.add(id(self))", "set()"),
    ],
)
def test_other_links(body: str, near: str) -> None:
    assert not _rows(body, near=near)


@pytest.mark.parametrize(
    "hashing",
    [
        "return id(self)",
        "return object.__hash__(self)",
        "return hash(type(self))",
        "return self.limit",
        "return hash(getattr(self, 'name', None))",
    ],
)
def test_hashes_without_state(hashing: str) -> None:
    assert not _rows(hashing=hashing)


@pytest.mark.parametrize(
    "more",
    [
        "\n    def __reduce__(self):\n        return Node, (self.name,), {'near': self.near}\n",
        "\n    def __new__(cls, name):\n        made = super().__new__(cls)\n        made.name = name\n"
        "        return made\n\n    def __getnewargs__(self):\n        return (self.name,)\n",
        "\n    def __getstate__(self):\n        return {'name': self.name}\n",
    ],
)
def test_objects_that_are_made_with_the_attribute(more: str) -> None:
    assert not _rows(more=more)


_DATACLASS = """\
import copy
from dataclasses import dataclass, field


@dataclass{given}
class Person:
    name: str
    friends: set = field(default_factory=set, compare=False)

    def meet(self, other):
        self.friends.add(other)
        {back}


first, second = Person("Ann"), Person("Bob")
first.meet(second)
copy.deepcopy(first)
"""
_BACK = "other.friends.add(self)"


@pytest.mark.parametrize(
    ("given", "back", "fires"),
    [
        ("(frozen=True)", _BACK, True),
        ("(unsafe_hash=True)", _BACK, True),
        ("(frozen=True)", "return other", False),  # no circle
        ("(eq=False)", _BACK, False),  # hashed by its identity
        ("(frozen=True, eq=False)", _BACK, False),
    ],
)
def test_hashes_of_dataclasses(given: str, back: str, fires: bool) -> None:
    assert bool(rows(_DATACLASS.format(given=given, back=back), "LP613")) is fires


_COPYING = """\
import copy


class Node:
    def __init__(self, name):
        self.name = name
        self.near = set()

    def __hash__(self):
        return hash(self.{hashed})

    def link(self, other):
        {linking}


class Trial:
    def __init__(self, base):
        self.base = base

    def apply(self):
        return copy.{copier}(self.base)


def trials(base, names):
    for name in names:
        yield Trial(base).apply()


a, b = Node("a"), Node("b")
a.link(b)
print(list(trials(a, "ab")))
"""


@pytest.mark.parametrize(
    ("hashed", "linking", "copier", "confidences"),
    [
        ("name", "self.near.add(other)\n        other.near.add(self)", "deepcopy", [Confidence.POSSIBLE]),
        ("name", "self.near.add(other)\n        other.near.add(self)", "copy", []),
        ("name", "self.near.add(other)", "deepcopy", []),
        ("__class__", "self.near.add(other)\n        other.near.add(self)", "deepcopy", []),
    ],
)
def test_copies_of_what_a_function_is_given_are_merely_possible(
    tmp_path: Path, hashed: str, linking: str, copier: str, confidences: list[Confidence]
) -> None:
    text = _COPYING.format(hashed=hashed, linking=linking, copier=copier)
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True}, cwd=tmp_path)
    (tmp_path / "trials.py").write_text(text)
    found = lint_paths([str(tmp_path)], resolver=resolver).diagnostics
    assert [each.confidence for each in found if each.code == "LP613"] == confidences
    assert lint(text).diagnostics == ()


def test_a_copy_of_what_is_known_is_likely() -> None:
    text = _COPYING.format(
        hashed="name", linking="self.near.add(other)\n        other.near.add(self)", copier="deepcopy"
    )
    (found,) = lint(f"{text}copy.deepcopy(a)\n").diagnostics
    assert (found.code, found.confidence) == ("LP613", Confidence.LIKELY)
