from __future__ import annotations

import functools
import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.operators import StableNames, operator_for_lambda, replace_lambda
from tests.fixes.helpers import lambda_spans, span_of


class Thing:
    a = 1

    def __init__(self, name: str = "x") -> None:
        self.name = name
        self.inner = name.upper()

    def method(self, *args: object, **kwargs: object) -> object:
        return self.name, args, kwargs


@pytest.mark.parametrize(
    ("source", "expression", "arguments"),
    [
        ("lambda x: x[0]", "operator.itemgetter(0)", ("ab",)),
        ("lambda x: x[-1]", "operator.itemgetter(-1)", ("ab",)),
        ("lambda x: x['a']", "operator.itemgetter('a')", ({"a": 1},)),
        ('lambda x: x["operator.itemgetter"]', 'operator.itemgetter("operator.itemgetter")', None),
        ("lambda x: x[0, 'a']", "operator.itemgetter((0, 'a'))", ({(0, "a"): 3},)),
        ("lambda x: x[0,]", "operator.itemgetter((0,))", ({(0,): 3},)),
        ("lambda x: x[1:3]", "operator.itemgetter(slice(1, 3))", ("abcde",)),
        ("lambda x: x[::-1]", "operator.itemgetter(slice(None, None, -1))", ("abcde",)),
        ("lambda x: x[:, 0]", "operator.itemgetter((slice(None, None), 0))", None),
        ("lambda x: x[...]", "operator.itemgetter(...)", ({...: 1},)),
        ("lambda x: (x[1], x[0])", "operator.itemgetter(1, 0)", ("ab",)),
        ("lambda x: x.a", 'operator.attrgetter("a")', (Thing(),)),
        ("lambda x: x.name.__len__", 'operator.attrgetter("name.__len__")', None),
        ("lambda x: (x.name, x.inner)", 'operator.attrgetter("name", "inner")', (Thing(),)),
        ("lambda x: x.method()", 'operator.methodcaller("method")', (Thing(),)),
        ("lambda x: x.method(1, name='b')", "operator.methodcaller(\"method\", 1, name='b')", (Thing(),)),
        ("lambda a, b: a + b", "operator.add", (1, 2)),
        ("lambda a, b: (a @ b)", "operator.matmul", None),
        ("lambda a, b: a < b", "operator.lt", (1, 2)),
        ("lambda a, b: a is not b", "operator.is_not", (1, 2)),
        ("lambda a, b: b in a", "operator.contains", ("abc", "c")),
        ("lambda a, b: a[b]", "operator.getitem", ("abc", 1)),
        ("lambda a: -a", "operator.neg", (1,)),
        ("lambda a: not a", "operator.not_", ([],)),
        ("lambda: []", "list", ()),
        ("lambda: {}", "dict", ()),
        ("lambda: ()", "tuple", ()),
        ("lambda: 0", "int", ()),
        ("lambda: 0.0", "float", ()),
        ("lambda: ''", "str", ()),
        ("lambda: b''", "bytes", ()),
        ("lambda: False", "bool", ()),
        ("lambda: set()", "set", ()),
        ("lambda: int('7')", "functools.partial(int, '7')", ()),
        ("lambda: dict(a=1, b=-2)", "functools.partial(dict, a=1, b=-2)", ()),
        ("lambda x: len(x)", "len", ("abc",)),
        ("lambda *a: max(*a)", "max", (1, 2)),
        ("lambda x, *a, **k: print(x, *a, **k)", "print", None),
        ("lambda x, /: str(x)", "str", (1,)),
        ("lambda x, # a comment\n  y: x - y", "operator.sub", (5, 3)),
    ],
)
def test_a_replacement_does_the_same(source: str, expression: str, arguments: tuple[Any, ...] | None) -> None:
    found = operator_for_lambda(source)
    assert found is not None
    module, replacement = found
    assert replacement == expression
    assert module == (replacement.partition(".")[0] if "." in replacement.partition("(")[0] else "")
    new = eval(replacement, {"operator": operator, "functools": functools})
    pickle.dumps(new)
    if arguments is not None:
        old: Callable[..., object] = eval(f"({source})")
        assert new(*arguments) == old(*arguments)
        assert type(new(*arguments)) is type(old(*arguments))


@pytest.mark.parametrize(
    "source",
    [
        "lambda x: x",
        "lambda x: x[i]",
        "lambda x: x[0][1]",
        "lambda x: y[0]",
        "lambda x: x.a[0]",
        "lambda x: x[x]",
        "lambda x, y: x[0]",
        "lambda x=1: x[0]",
        "lambda *, x: x[0]",
        "lambda *x: x[0]",
        "lambda x, *a: x[0]",
        "lambda x, **k: x[0]",
        "lambda x, **k: len(x)",
        "lambda x, *a, **k: len(x, *a)",
        "lambda **k: dict()",
        "lambda x: (x[0], x.a)",
        "lambda x: [x[0], x[1]]",
        "lambda x: (x[0],)",
        "lambda x: x.__private",
        "lambda x: x.__private()",
        "lambda x: x.method(x)",
        "lambda x: x.method(y)",
        "lambda x: x.method(*[1])",
        "lambda x: x.method([])",
        "lambda a, b: b + a",
        "lambda a, b: a in b",
        "lambda a, b: a not in b",
        "lambda a, b: a and b",
        "lambda a, b: a < b < a",
        "lambda a, b: a + 1",
        "lambda: 1",
        "lambda: -0.0",
        "lambda: None",
        "lambda: [0]",
        "lambda: 'a'",
        "lambda x: []",
        "lambda: f()",
        "lambda: f(1)",
        "lambda: int(f)",
        "lambda: int([])",
        "lambda: int(*[1])",
        "lambda x: f(x)",
        "lambda x: module.f(x)",
        "lambda x: len(x, x)",
        "lambda x, y: max(y, x)",
        "lambda x: print(x, end='')",
        "lambda kx: dict(k=x)",
        "lambda len: len(len)",
        "lambda *a: max(a)",
        "lambda x: (yield x)",
        "lambda x:",
        "x",
    ],
)
def test_what_is_not_exact_is_left_alone(source: str) -> None:
    assert operator_for_lambda(source) is None


def test_names_are_used_only_when_they_are_known() -> None:
    known = StableNames(frozenset({"f", "collections"}), frozenset({"collections"}))
    assert operator_for_lambda("lambda x: f(x)", known) == ("", "f")
    assert operator_for_lambda("lambda x: f.g(x)", known) is None
    assert operator_for_lambda("lambda: []", known) is None
    assert operator_for_lambda("lambda: collections.defaultdict(f)", known) == (
        "functools",
        "functools.partial(collections.defaultdict, f)",
    )


def replaced(text: str) -> str | None:
    edits = replace_lambda(text, next(lambda_spans(text)))
    return None if edits is None else apply_edits(text, edits)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("import os\na = lambda x: x[0]\n", "import os\nimport operator\na = operator.itemgetter(0)\n"),
        ("import operator as op\na = lambda x: x[0]\n", "import operator as op\na = op.itemgetter(0)\n"),
        (
            "from operator import itemgetter as get\na = lambda x: x[0]\n",
            "from operator import itemgetter as get\na = get(0)\n",
        ),
        (
            "from functools import partial\nimport torch\na = lambda: torch.make(lambda: 0)\n",
            "from functools import partial\nimport torch\na = partial(torch.make, int)\n",
        ),
        ("a = [1 if b else lambda:0]\n", "a = [1 if b else int]\n"),
        ("a = [1 if b else(lambda:0)]\n", "a = [1 if b else(int)]\n"),
        ("def f(x): ...\na = lambda x: f(x)\n", "def f(x): ...\na = f\n"),
        (
            "operator = 1\na = lambda x: x[0]\n",
            "import operator as _operator\n\noperator = 1\na = _operator.itemgetter(0)\n",
        ),
        (
            "class A:\n    x: list = field(default_factory=lambda: [])\n",
            "class A:\n    x: list = field(default_factory=list)\n",
        ),
    ],
)
def test_the_lambda_is_replaced_in_place(text: str, result: str) -> None:
    assert replaced(text) == result


def test_columns_count_code_points() -> None:
    text = "é = '😋', lambda: []\n"
    edits = replace_lambda(text, span_of(text, "lambda: []"))
    assert edits is not None
    assert apply_edits(text, edits) == "é = '😋', list\n"


@pytest.mark.parametrize(
    "text",
    [
        "list = 1\na = lambda: []\n",
        "from numpy import *\na = lambda x: sum(x)\n",
        "a = lambda x: f(x)\ndef f(x): ...\n",
        "def f(x): ...\nf = g(f)\na = lambda x: f(x)\n",
        "if b:\n    def f(x): ...\na = lambda x: f(x)\n",
        "f = g()\na = lambda x: f(x)\n",
        "def f(x): ...\ndef g(f):\n    a = lambda x: f(x)\n",
        "from m import thing\na = lambda x: thing.f(x)\n",
        "def f(x): ...\nfrom m import *\na = lambda x: f(x)\n",
        "class A:\n    f = lambda self: self.x\n",
        "class A:\n    f: Callable = lambda self: self.x\n",
    ],
)
def test_names_that_may_change_are_not_used(text: str) -> None:
    assert replaced(text) is None


@pytest.mark.parametrize(
    ("call", "is_replaced"),
    [("scale({'k': 1})", True), ("scale(row={'k': 1})", False), ("partial(scale, row={})", False), ("f(key=1)", True)],
)
def test_a_lambda_that_is_called_by_keyword_stays(call: str, is_replaced: bool) -> None:
    text = f"from functools import partial\nscale = lambda row: row['k']\n{call}\n"
    (span,) = lambda_spans(text)
    assert (replace_lambda(text, span) is not None) is is_replaced
