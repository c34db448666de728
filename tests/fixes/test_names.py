from __future__ import annotations

import ast
import sys
import types

import pytest

from lintpickle.diagnostics import Span
from lintpickle.fixes.names import analyse, captured_names
from tests.fixes.helpers import lambda_spans, span_of


def first_lambda(text: str) -> Span:
    return next(lambda_spans(text))


@pytest.mark.parametrize(
    ("text", "captured"),
    [
        ("def f(a):\n    return lambda x: x + a", {"a"}),
        ("def f():\n    b = 1\n    return lambda x: x + b + c", {"b"}),
        ("def f(a):\n    return lambda x=a: x", {"a"}),
        ("def f(a):\n    return lambda a: a", set()),
        ("def f(self):\n    self.g = lambda x: self.h(x)", {"self"}),
        ("a = 1\nf = lambda x: a + x", set()),
        ("def f():\n    global a\n    a = 1\n    return lambda: a", set()),
        ("def f():\n    global a\n    def g():\n        return lambda: a\n    a = 1", set()),
        ("def f():\n    a = 1\n    def g():\n        nonlocal a\n        return lambda: a", {"a"}),
        ("def f():\n    import os\n    return lambda: os.sep", {"os"}),
        ("def f():\n    return [lambda: i for i in y]", {"i"}),
        ("def f(y):\n    return lambda: [i for i in y]", {"y"}),
        ("def f(i):\n    return lambda y: [i for i in y]", set()),
        ("def f(i):\n    return lambda y: [j for j in y if i]", {"i"}),
        ("def f(i):\n    return lambda y: [i for i in i]", {"i"}),
        ("def f():\n    (a := 1)\n    return lambda: a", {"a"}),
        ("def f():\n    [a := x for x in y]\n    return lambda: a", {"a"}),
        ("def f():\n    return lambda: (a := 1) + a", set()),
        ("class C:\n    a = 1\n    f = lambda x: a", set()),
        ("class C:\n    a = 1\n    f = lambda x=a: x", {"a"}),
        ("class C:\n    a = 1\n    f = [lambda: a for x in y]", set()),
        ("class C:\n    def m(self):\n        return lambda: super().m()", {"__class__"}),
        ("class C:\n    def m(self):\n        return lambda: __class__", {"__class__"}),
        ("class C:\n    def m(self, super):\n        return lambda: super", {"super"}),
        ("def f():\n    try: pass\n    except E as e: g(lambda: e)", {"e"}),
        ("def f(p):\n    match p:\n        case [a, *b] | {'k': a, **b}: return lambda: (a, b)", {"a", "b"}),
        ("def f(p):\n    match p:\n        case [a, *b]: return lambda: b", {"b"}),
        ("def f():\n    for a in y: return lambda: a", {"a"}),
        ("def f():\n    with y as a: return lambda: a", {"a"}),
        ("def f():\n    a: int\n    return lambda: a", {"a"}),
        ("def f():\n    class a: pass\n    return lambda: a()", {"a"}),
        ("def f(a):\n    class C:\n        g = lambda self: a", {"a"}),
        ("def f(a, b):\n    return lambda: lambda b: a + b", {"a"}),
        ("def f(a):\n    return lambda: f'''\n{a}'''", {"a"}),
        ("def f(a):\n    return lambda: ('x'\n  f'{a}' f'''\n\n{a}''')", {"a"}),
        ("def f(é):\n    return '😋', lambda: é", {"é"}),
    ],
)
def test_what_a_lambda_captures(text: str, captured: set[str]) -> None:
    lines = text.split("\n")
    at = text.index("lambda")
    node = next(each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Lambda))
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    end_line = lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode()
    end = len("\n".join([*lines[: node.end_lineno - 1], ""])) + len(end_line)
    assert captured_names(text, Span(at, end)) == captured


@pytest.mark.parametrize(
    ("text", "captured"),
    [
        ("def f(a):\n    def g(x):\n        return x", set()),
        ("def f(a):\n    def g(x):\n        return a", {"a"}),
        ("def f(a):\n    def g(x):\n        nonlocal a\n        a = 1", {"a"}),
        ("def f(a):\n    def g(x: a) -> None: ...", {"a"}),
        ("def f(a):\n    def g(x=a): ...", {"a"}),
        ("def f(a):\n    @a\n    def g(x): ...", {"a"}),
        ("def f():\n    def g(x):\n        return g(x - 1)", {"g"}),
        ("def f():\n    def g(x):\n        def h(): return x\n        return h", set()),
        (
            "def f():\n    def g():\n        class A:\n            b = 1\n            c = b",
            set(),
        ),
        (
            "def f():\n    def g():\n        class A:\n            def m(_): super().m()\n        return A",
            set(),
        ),
    ],
)
def test_what_a_nested_function_captures(text: str, captured: set[str]) -> None:
    start = text.index("@a") if "@a" in text else text.index("def g")
    assert captured_names(text, Span(start, len(text))) == captured


def test_every_word_counts_when_the_text_does_not_parse() -> None:
    text = "print 'x'\nf = lambda x: y"
    assert captured_names(text, span_of(text, "lambda x: y")) == {"lambda", "x", "y"}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters")
def test_type_parameters_are_captured() -> None:
    text = "def f[T](a: T):\n    return lambda: T"
    assert captured_names(text, span_of(text, "lambda: T")) == {"T"}
    text = "class C:\n    a = 1\n    def m[T: a](self): ..."
    assert captured_names(text, Span(text.index("def m"), len(text))) == {"a"}


SOURCE = """
import os
def outer(a, *b, c=1, **d):
    e = [f for f in a if f]
    def one(): return a, b, e, os
    def two(a): return [a for a in c for g in a if d]
    class Three:
        h = 1
        def m(self, i=h): return h, i, e, __class__
    for k in a:
        j = lambda: (k, [k for k in j], {l: e for l in k})
    def four():
        nonlocal e
        global k2
        e = k2 = 1
        def five(): return e, k2
        return five
    return one, two, Three, j, four
"""


def test_functions_capture_what_the_compiler_says() -> None:
    """The free variables of each code object are what captured_names finds, for the functions of SOURCE."""
    expected: dict[tuple[str, int], set[str]] = {}

    def collect(code: types.CodeType) -> None:
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                expected[constant.co_name, constant.co_firstlineno] = set(constant.co_freevars)
                collect(constant)

    collect(compile(SOURCE, "m", "exec"))
    names = analyse(SOURCE)
    assert names is not None
    checked = 0
    for node in ast.walk(names.source.tree):
        if isinstance(node, ast.FunctionDef | ast.Lambda) and getattr(node, "name", "") != "m":
            found = captured_names(SOURCE, names.source.span(node))
            name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
            assert found == expected[name, node.lineno], name
            checked += 1
    assert checked == 6


def test_a_free_name_is_used_nowhere() -> None:
    names = analyse("_f = 1\ndef g(_f_2):\n    global _f_3\n    _f_4.x\nimport a as _f_5\n")
    assert names is not None
    assert names.free_name("f") == "_f_6"
    assert names.free_name("a b-c!") == "_a_b_c"
    assert names.free_name("__x__") == "_x"
    assert names.free_name("") == "_function"
    assert names.free_name("1st") == "_function_1st"
