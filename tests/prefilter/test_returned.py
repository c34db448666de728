"""What a function gives: of its statements, those that have to do with it are left."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from lintpickle.catalog import load_catalog
from lintpickle.facts.of_file import FileFacts
from lintpickle.parsing.syntax import BrokenSyntax
from lintpickle.prefilter.marks import Vocabulary
from lintpickle.prefilter.returned import returned
from tests.parsing.test_blocks import _texts
from tests.support import marks

from ..facts.shapes import SOURCES, document

GIVEN = {
    "at once": "return HAZARD",
    "yielded": "yield HAZARD",
    "yielded by others": "yield from HAZARD",
    "by a name": "x = HAZARD\nreturn x",
    "by two names": "x = HAZARD\ny = [x]\nreturn y",
    "by one of two": "x, y = HAZARD\nreturn y",
    "annotated": "x: object = HAZARD\nreturn x",
    "added": "x = []\nx += HAZARD\nreturn x",
    "as an item": "x = {}\nx['a'] = HAZARD\nreturn x",
    "as an attribute": "x = object()\nx.a.b = HAZARD\nreturn x",
    "by a method": "x = []\nx.append(HAZARD)\nreturn x",
    "by a method of a part": "x = {}\nx.setdefault('a', []).append(HAZARD)\nreturn x",
    "by a function": "x = object()\nsetattr(x, 'a', HAZARD)\nreturn x",
    "stored in what it stands for": "x = y\nx.a = HAZARD\nreturn y.b[x]",
    "in a block": "if a:\n    for b in c:\n        while d:\n            x = HAZARD\nreturn x",
    "returned in a block": "try:\n    x = HAZARD\nexcept E:\n    pass\nelse:\n    return x",
    "iterated": "for x in HAZARD:\n    return x",
    "opened": "with a, HAZARD as x:\n    return x",
    "in a condition": "if (x := HAZARD):\n    return x",
    "in a value": "a = (x := HAZARD)\nreturn x",
    "matched": "match HAZARD:\n    case [x]:\n        return x",
    "in a local function": "def x():\n    return HAZARD\nreturn x",
    "in a local class": "class X:\n    a = HAZARD\nreturn X()",
    "read by a local function": "a = HAZARD\ndef x():\n    return a\nreturn x",
    "in a lambda": "a = HAZARD\nreturn lambda: a",
    "imported there": "from HAZARD import x\nreturn x",
    "on the instance": "self.a = HAZARD\nreturn self",
}
NOT_GIVEN = {
    "nothing is": "x = HAZARD",
    "nothing is returned": "x = HAZARD\nreturn",
    "something else is": "x = HAZARD\ny = 1\nreturn y",
    "thrown away": "HAZARD\nreturn 1",
    "kept by something else": "x = []\nx.append(HAZARD)\nreturn 1",
    "kept by something else, with what is returned": "x = []\nx.append(HAZARD, y)\nreturn y",
    "printed": "print(1, HAZARD)\nreturn 1",
    "asked for": "if HAZARD:\n    return 1",
    "around it": "with HAZARD:\n    return 1",
    "raised": "raise HAZARD",
    "deleted": "x = HAZARD\ndel x\nreturn 1",
    "in a local function that is only called": "def x():\n    return HAZARD\nx()\nreturn 1",
    "yielded by a local function": "def x():\n    yield HAZARD\nx()\nreturn 1",
}


def _function(body: str) -> str:
    return "def f(self, y, a, c, d):\n" + "".join(f"    {row}\n" for row in body.splitlines())


def _in_class(body: str) -> str:
    return "class C:\n" + "".join(f"    {row}\n" for row in _function(body).splitlines())


def _left(text: str) -> str:
    return ast.unparse(ast.fix_missing_locations(returned(ast.parse(text))))


@pytest.mark.parametrize("wrap", [_function, _in_class])
@pytest.mark.parametrize("body", GIVEN.values(), ids=GIVEN)
def test_what_is_given(body: str, wrap: object) -> None:
    assert callable(wrap)
    assert "HAZARD" in _left(wrap(body))


@pytest.mark.parametrize("wrap", [_function, _in_class])
@pytest.mark.parametrize("body", NOT_GIVEN.values(), ids=NOT_GIVEN)
def test_what_is_not_given(body: str, wrap: object) -> None:
    assert callable(wrap)
    assert "HAZARD" not in _left(wrap(body))


def test_all_else_is_left_as_it_is() -> None:
    text = "x = HAZARD\n\n@HAZARD\nclass C(HAZARD):\n    a = HAZARD\n\n@HAZARD\ndef f(a=HAZARD):\n    return 1"
    assert _left(text).count("HAZARD") == 6


def test_it_has_no_marks_of_its_own() -> None:
    """Of real code: what a function gives has no form in it that the whole function has not."""
    catalog = load_catalog(())
    vocabulary = Vocabulary(catalog.hazard_calls(), catalog.hazard_values(), catalog.boundary_words())
    fewer = 0
    for text in _texts(SOURCES):
        try:
            facts = FileFacts(document(text), vocabulary)
        except BrokenSyntax:
            continue
        for block in facts.outline.blocks:
            if block.defines_function:
                everything, given = facts.marks(block), facts.marks(block, given=True)
                assert {mark.form for mark in given} <= {mark.form for mark in everything}
                fewer += len(given) < len(everything)
    assert fewer > 50, "or else it would not pay"


BASE = """\
import copy
import threading

from torch import nn


def copied(model):
    return copy.deepcopy(model)


class Base:
    @classmethod
    def made(cls, *_):
{body}

class Derived(Base):
    lock = None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.held = Derived.made()
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return threading.Lock()", True),
        ("lock = threading.Lock()\nreturn lock", True),
        ("held = {}\nheld['lock'] = threading.Lock()\nreturn held", True),
        ("lock = threading.Lock()\nwith lock:\n    return 1", False),
        ("lock = threading.Lock()\nprint(lock)\nreturn None", False),
    ],
)
def test_what_a_method_of_a_base_gives_is_found_where_it_is_kept(body: str, found: bool) -> None:
    rows = "".join(f"        {row}\n" for row in dedent(body).splitlines())
    assert [code for _, code in marks(BASE.format(body=rows))] == ["LP111"] * found
