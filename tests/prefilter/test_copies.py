"""Copies of what a function was given, and other uses of a function that makes copies."""

from __future__ import annotations

import ast

import pytest

from lintpickle.prefilter.copies import copies_more
from tests.support import marks

COPIERS = frozenset({"copy.deepcopy", "deepcopy"})
GIVEN = {
    "a parameter": "def f(x):\n    return deepcopy(x)",
    "by its module": "def f(x):\n    return copy.deepcopy(x)",
    "the second one": "def f(a, x, /, b):\n    return deepcopy(x)",
    "by keyword only": "def f(*, a=1, x):\n    return deepcopy(x)",
    "a constant for a default": "def f(a, x=None, *, y=''):\n    return deepcopy(x), deepcopy(y)",
    "an attribute": "def f(x):\n    return deepcopy(x.a.b)",
    "an item": "def f(x):\n    return deepcopy(x['a'][0].b)",
    "of a copy": "def f(x):\n    x = deepcopy(x)\n    return deepcopy(x.a)",
    "in an expression": "def f(x):\n    return [deepcopy(x) for _ in range(3)]",
    "an element": "def f(x):\n    return [deepcopy(y) for y in x]",
    "a name for a part": "def f(x):\n    y = x.a\n    for z in y:\n        deepcopy(z)",
    "parts at once": "def f(x):\n    y, (z, *w) = x\n    return deepcopy(y), deepcopy(z), deepcopy(w)",
    "annotated": "def f(x):\n    y: dict = x['a']\n    return deepcopy(y)",
    "of a method": "class C:\n    def f(self, x):\n        return deepcopy(x)",
    "of a local function": "def g():\n    def f(x):\n        return deepcopy(x)\n    return f",
    "of an async function": "async def f(x):\n    async with y:\n        return deepcopy(x)",
    "two names that stand for each other": "def f(x):\n    y = x.a\n    x = y.b\n    return deepcopy(x)",
    "nothing is copied": "def f(x):\n    '''deepcopy'''\n    return x  # deepcopy(self)",
}
MORE = {
    "at module level": "deepcopy(x)",
    "a name of the module": "def f():\n    return deepcopy(X)",
    "the instance": "class C:\n    def f(self):\n        return deepcopy(self)",
    "the instance in a block": "class C:\n    if True:\n        def f(me):\n            return deepcopy(me.a)",
    "a default": "def f(x=X):\n    return deepcopy(x)",
    "a default by keyword": "def f(*, x=X):\n    return deepcopy(x)",
    "many": "def f(*x):\n    return deepcopy(x)",
    "options": "def f(**x):\n    return deepcopy(x)",
    "a method of a parameter": "def f(x):\n    return deepcopy(x.items())",
    "something new": "def f(x):\n    return deepcopy([x])",
    "rebound": "def f(x):\n    x = X\n    return deepcopy(x)",
    "rebound by condition": "def f(x):\n    if x is None:\n        x = X\n    return deepcopy(x)",
    "rebound in a part": "def f(x):\n    a, (x, b) = X\n    return deepcopy(x)",
    "rebound by a loop": "def f(x):\n    for x in X:\n        deepcopy(x)",
    "rebound by a loop over something new": "def f(x):\n    for y in enumerate(x):\n        deepcopy(y)",
    "rebound in a comprehension": "def f(x):\n    return [deepcopy(x) for x in X]",
    "rebound by a walrus": "def f(x):\n    if (x := X):\n        return deepcopy(x)",
    "rebound with": "def f(x):\n    with X as x:\n        return deepcopy(x)",
    "rebound by an import": "def f(x):\n    import x.y\n    return deepcopy(x)",
    "rebound by a definition": "def f(x):\n    def x(): ...\n    return deepcopy(x)",
    "rebound by a class": "def f(x):\n    class x: ...\n    return deepcopy(x)",
    "rebound in another function": "def f(x):\n    def g():\n        nonlocal x\n        x = X\n    return deepcopy(x)",
    "an error": "def f(x):\n    try: ...\n    except E as x:\n        return deepcopy(x)",
    "a pattern": "def f(x):\n    match X:\n        case [x, *_]:\n            return deepcopy(x)",
    "the rest of a pattern": "def f(x):\n    match X:\n        case {**x}:\n            return deepcopy(x)",
    "more by an operator": "def f(x):\n    x += X\n    return deepcopy(x)",
    "a part that is rebound": "def f(x):\n    y = x.a\n    y = X\n    return deepcopy(y)",
    "a part of what is rebound": "def f(x):\n    y = x.a\n    x = X\n    return deepcopy(y)",
    "a parameter of the function around": "def f(x):\n    def g():\n        return deepcopy(x)\n    return g",
    "in a lambda": "def f(x):\n    return lambda y: deepcopy(y)",
    "in a default": "def f(x, y=deepcopy(x)): ...",
    "in a decorator": "@deepcopy(x)\ndef f(x): ...",
    "handed on": "def f(x):\n    return map(deepcopy, x)",
    "by another name": "def f(x):\n    c = copy.deepcopy\n    return c(x)",
    "with a memo": "def f(x, memo):\n    return deepcopy(x, memo)",
    "by keyword": "def f(y):\n    return deepcopy(x=y)",
    "spread": "def f(x):\n    return deepcopy(*x)",
    "one of two": "def f(x):\n    deepcopy(x)\n    return deepcopy(X)",
    "inside": "def f(x):\n    return deepcopy(x[deepcopy(X)])",
}


@pytest.mark.parametrize("text", GIVEN.values(), ids=GIVEN)
def test_what_was_given(text: str) -> None:
    assert not copies_more(ast.parse(text), COPIERS)


@pytest.mark.parametrize("text", MORE.values(), ids=MORE)
def test_more(text: str) -> None:
    assert copies_more(ast.parse(text), COPIERS)


HELD = """\
import copy
import threading
from copy import deepcopy

LOCK = threading.Lock()


class Holder:
    def __init__(self):
        self.lock = threading.Lock()

{method}

{function}
"""


@pytest.mark.parametrize(
    ("method", "function"),
    [
        ("", "def f():\n    return copy.deepcopy(LOCK)"),
        ("", "def f(x):\n    deepcopy(x)\n    return deepcopy(Holder())"),
        ("", "def f(x=LOCK):\n    return deepcopy(x)"),
        ("", "def f(x):\n    if x is None:\n        x = LOCK\n    return copy.deepcopy(x)"),
        ("", "def f(x):\n    return deepcopy(x.items())"),
        ("", "def f(x):\n    from copy import deepcopy as clone\n    deepcopy(x)\n    return clone(LOCK)"),
        ("    def twin(self):\n        return copy.deepcopy(self)", ""),
        ("    def twin(self, x):\n        copy.deepcopy(x)\n        return deepcopy(self.lock)", ""),
        (
            "    def a(self, x):\n        return deepcopy(x)\n\n    def twin(self):\n        return deepcopy(self)",
            "",
        ),
    ],
)
def test_hazards_that_are_copied_are_found(method: str, function: str) -> None:
    assert marks(HELD.format(method=method, function=function))


@pytest.mark.parametrize(
    ("method", "function"),
    [
        ("", "def f(x):\n    return deepcopy(x)\n\n\nf(LOCK)"),
        ("    def twin(self, x):\n        return copy.deepcopy(x)", ""),
    ],
)
def test_what_callers_pass_to_be_copied_is_not_followed(method: str, function: str) -> None:
    assert not marks(HELD.format(method=method, function=function))
