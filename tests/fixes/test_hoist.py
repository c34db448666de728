from __future__ import annotations

import ast
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, strategies as st

from lintpickle.diagnostics import Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.hoist import hoist_function, hoist_lambda
from tests.fixes.helpers import lambda_spans, span_of


def run(text: str) -> Any:
    """What `result()` of the module returns."""
    scope: dict[str, Any] = {"__name__": "m"}
    exec(compile(text, "m", "exec"), scope)
    return scope["result"]()


def hoisted_lambda(text: str, hint: str = "hook") -> str | None:
    found = hoist_lambda(text, next(lambda_spans(text)), hint=hint)
    return None if found is None else apply_edits(text, found[:2])


def hoisted_function(text: str, name: str = "inner") -> str | None:
    """`text` with the function called `name` moved, when the span begins at `def`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            lines = text.encode().splitlines(keepends=True)
            start = len(b"".join(lines[: node.lineno - 1]).decode()) + node.col_offset
            assert node.end_lineno is not None
            end = len(b"".join(lines[: node.end_lineno]).decode().rstrip("\r\n"))
            found = hoist_function(text, Span(start, end))
            return None if found is None else apply_edits(text, found.edits)
    raise AssertionError(f"no function {name}")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (
            "import os\n\n\n# about A\n@decorate\nclass A:\n    def f(self):\n        self.f = lambda x: x\n",
            "import os\n\n\ndef _hook(x):\n    return x\n\n\n"
            "# about A\n@decorate\nclass A:\n    def f(self):\n        self.f = _hook\n",
        ),
        ("import os\nx = lambda: 0\n", "import os\n\n\ndef _hook():\n    return 0\n\n\nx = _hook\n"),
        ("x = lambda: 0\n", "def _hook():\n    return 0\n\n\nx = _hook\n"),
        ("x = [lambda:(0)for y in z]\n", "def _hook():\n    return (0)\n\n\nx = [_hook for y in z]\n"),
        ("x = 1 if y else lambda:0\n", "def _hook():\n    return 0\n\n\nx = 1 if y else _hook\n"),
        ("# Licence\nx = lambda: 0\n", "# Licence\n\n\ndef _hook():\n    return 0\n\n\nx = _hook\n"),
        ("a = 1; x = lambda: 0\n", "def _hook():\n    return 0\n\n\na = 1; x = _hook\n"),
        ("x = lambda: 0\r\n", "def _hook():\r\n    return 0\r\n\r\n\r\nx = _hook\r\n"),
        (
            "if a:\n\tx = lambda: 0\n",
            "def _hook():\n\treturn 0\n\n\nif a:\n\tx = _hook\n",
        ),
        (
            "x = f(\n    lambda a, # first\n    b=1, *c, d, e=(2, -3), **g: # last\n    # y\n    a + b\n)\n",
            "def _hook(a, # first\n    b=1, *c, d, e=(2, -3), **g):\n"
            "    return (\n        # last\n        # y\n        a + b\n    )\n\n\nx = f(\n    _hook\n)\n",
        ),
        (
            "class A:\n    x = f(\n        lambda a, /: (\n            a\n            + 1  # one\n        )\n    )\n",
            "def _hook(a, /):\n    return (\n        a\n        + 1  # one\n    )\n\n\n"
            "class A:\n    x = f(\n        _hook\n    )\n",
        ),
        (
            "class A:\n    x = lambda: f('''a\n      b''',\n        'c'\n        'd')\n",
            "def _hook():\n    return f('''a\n      b''',\n        'c'\n        'd')\n\n\nclass A:\n    x = _hook\n",
        ),
        ("x = lambda: (yield)\n", None),
        ("x = lambda a: (b := a) + b\n", None),
        ("class A:\n    x = lambda s: s.__a\n", None),
        ("def f(a):\n    return lambda: a\n", None),
        ("def f():\n    return lambda a=[]: a\n", None),
        ("def f():\n    return lambda a=B: a\nB = 1\n", None),
        (
            "B = 1\ndef f():\n    return lambda a=B: a\n",
            "B = 1\n\n\ndef _hook(a=B):\n    return a\n\n\ndef f():\n    return _hook\n",
        ),
        (
            "def f():\n    return lambda a=int: a\n",
            "def _hook(a=int):\n    return a\n\n\ndef f():\n    return _hook\n",
        ),
        ("def f():\n    return lambda a=g(): a\n", None),
        (
            "x = lambda a=(lambda: 1): a\n",
            None,
        ),
        (
            "x = lambda a: lambda b: {a: b}[a:b]\n",
            "def _hook(a):\n    return lambda b: {a: b}[a:b]\n\n\nx = _hook\n",
        ),
    ],
)
def test_how_a_lambda_is_hoisted(text: str, result: str | None) -> None:
    assert hoisted_lambda(text) == result


def test_a_name_that_is_taken_is_avoided() -> None:
    text = "def f(_hook):\n    return lambda: _hook_2\n"
    found = hoist_lambda(text, next(lambda_spans(text)), hint="hook")
    assert found is not None
    assert found[2] == "_hook_3"


def test_the_function_goes_where_it_is_asked_for() -> None:
    text = "class A: ...\n\n\nclass B:\n    x = lambda: 0\n"
    found = hoist_lambda(text, next(lambda_spans(text)), hint="x", insert_before=0)
    assert found is not None
    assert found[0].span == Span(0, 0)
    assert hoist_lambda("x = lambda: 0\ny = 1\n", Span(4, 13), hint="x", insert_before=14) is None


def test_parentheses_may_be_in_the_span() -> None:
    text = "é = '😋', ( lambda: 0 )\n"
    found = hoist_lambda(text, span_of(text, "( lambda: 0 )"), hint="x")
    assert found is not None
    assert apply_edits(text, found[:2]).endswith("é = '😋', ( _x )\n")
    assert hoist_lambda(text, span_of(text, "'😋', ( lambda: 0 )"), hint="x") is None


@pytest.mark.parametrize(
    "text",
    [
        "x = lambda: '''\n  a\n b'''\ndef result(): return x()\n",
        "x = [lambda a, *b, c=3, **d: (a,\n  b, # b\n\n  c, d)]\ndef result(): return x[0](1, 2, e=5)\n",
        "x = lambda a, /, b, *, c: [f'{a}\\t{b!r:>5}{c}' for _ in 'ab']\ndef result(): return x(1, 2, c=3)\n",
        "class A:\n  def m(self): return (lambda a: a\n  + 1\n      + 2)(3)\ndef result(): return A().m()\n",
        "def g():\n    é = lambda ñ: ñ * 2\n    return é('ü')\n\f\ndef result(): return g()\n".replace("é", "e"),
    ],
)
def test_a_hoisted_lambda_does_the_same(text: str) -> None:
    result = hoisted_lambda(text)
    assert result is not None
    assert "lambda" not in result
    assert run(result) == run(text)
    for newline in ("\r\n", "\r"):
        other = hoisted_lambda(text.replace("\n", newline))
        assert other is not None
        assert other.replace(newline, "\n") == result


ARGUMENTS = st.sampled_from(["", "a", "a, b=2", "a, /, b=(1, -2)", "*a", "a, *, b=None", "**a", "a=1, *b, c='x', **d"])
BODIES = st.sampled_from(
    [
        "1",
        "(1)",
        "(1, 2)",
        "[x for x in 'ab']",
        "(\n   3\n)",
        "{'k': '''\n  v'''}",
        "(4 # four\n  + 5)",
        "lambda: 1",
    ]
)
PLACES = st.sampled_from(
    [
        "X = {}\n",
        "X = [\n    {},\n][0]\n",
        "def f():\n    return ({})\nX = f()\n",
        "class C:\n\tx = [{}]\nX = C.x[0]\n",
    ]
)


@given(ARGUMENTS, BODIES, PLACES, st.sampled_from(["", '"""Doc"""\n', "# é\n\nimport os\n"]))
def test_hoisting_keeps_signature_and_result(arguments: str, body: str, place: str, head: str) -> None:
    text = head + place.replace("{}", f"lambda {arguments}: {body}")
    source = ast.parse(text)
    node = next(each for each in ast.walk(source) if isinstance(each, ast.Lambda))
    start = text.index("lambda")
    found = hoist_lambda(text, Span(start, start + len(f"lambda {arguments}: {body}")), hint="x")
    assert found is not None
    result = apply_edits(text, found[:2])
    moved = next(each for each in ast.parse(result).body if getattr(each, "name", "") == found[2])
    assert isinstance(moved, ast.FunctionDef)
    assert ast.dump(moved.args) == ast.dump(node.args)
    assert isinstance(moved.body[0], ast.Return)
    assert moved.body[0].value is not None
    assert ast.dump(moved.body[0].value) == ast.dump(node.body)
    scope: dict[str, Any] = {}
    exec(result, scope)
    assert scope["X"] is scope[found[2]]


def test_a_nested_function_moves_with_all_that_is_its_own() -> None:
    text = dedent('''\
        import functools


        class A:
            def __init__(self):
                self.a = 1

                # about inner
                @functools.lru_cache(None)  # cached
                def inner(x, y=2):
                    """Doc.

                      deeper
                    """
                    if x:
                        return f(
                            x,
                      y)
                    # last words
                # at the def's own level

                self.inner = inner


        def f(x, y): return x, y
        def result(): return A().inner(3)
        ''')
    assert hoisted_function(text) == dedent('''\
        import functools


        # about inner
        @functools.lru_cache(None)  # cached
        def inner(x, y=2):
            """Doc.

                      deeper
                    """
            if x:
                return f(
                    x,
              y)
            # last words


        class A:
            def __init__(self):
                self.a = 1

                # at the def's own level

                self.inner = inner


        def f(x, y): return x, y
        def result(): return A().inner(3)
        ''')
    assert run(hoisted_function(text) or "") == run(text) == (3, 2)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (
            "def f():\n    def inner(): return 1\n    return inner\n",
            "def inner(): return 1\n\n\ndef f():\n    return inner\n",
        ),
        ("def f():\n    def inner(): pass\n", "def inner(): pass\n\n\ndef f():\n    pass\n"),
        ("def f():\n    x = 1\n\n    def inner(): pass", "def inner(): pass\n\n\ndef f():\n    x = 1\n"),
        (
            "def f():\n    if x:\n        async def inner(): pass\n    else: pass\n",
            "async def inner(): pass\n\n\ndef f():\n    if x:\n        pass\n    else: pass\n",
        ),
        (
            "def f():\r\n\tdef inner():\r\n\t\treturn '''\r\n\t'''\r\n\r\n\treturn inner\r\n",
            "def inner():\r\n\treturn '''\r\n\t'''\r\n\r\n\r\ndef f():\r\n\treturn inner\r\n",
        ),
        (
            "def f():\n    def inner(x):\n        return inner(x)\n    return [inner for _ in y]\ninner = 1",
            "def _inner(x):\n    return _inner(x)\n\n\ndef f():\n    return [_inner for _ in y]\ninner = 1",
        ),
        (
            "def f():\n    async def d(x):\n        return 'd', d\n    return d\nd = _d = 1\n",
            "async def _d_2(x):\n    return 'd', _d_2\n\n\ndef f():\n    return _d_2\nd = _d = 1\n",
        ),
    ],
)
def test_how_a_function_is_hoisted(text: str, result: str) -> None:
    assert hoisted_function(text, "d" if "def d" in text else "inner") == result


@pytest.mark.parametrize(
    "text",
    [
        "def inner(): pass\n",
        "class A:\n    def inner(self): pass\n",
        "def f():\n    class A:\n        def inner(self): pass\n",
        "def f(a):\n    def inner(): return a\n",
        "def f(a):\n    def inner():\n        nonlocal a\n        a = 1\n",
        "def f(a):\n    @a\n    def inner(): pass\n",
        "def f(a):\n    def inner(x: a): pass\n",
        "def f():\n    @later\n    def inner(): pass\ndef later(x): return x\n",
        "def f():\n    def inner(x=[]): pass\n",
        "def f():\n    def inner(x=g()): pass\n",
        "class A:\n    def f(self):\n        def inner(x): return x.__secret\n",
        "class A:\n    def f(self):\n        def inner(x): return super().f()\n",
        "def f():\n    def inner(): pass\n    inner = g(inner)\n",
        "def f(x):\n    if x:\n        def inner(): pass\n    else:\n        def inner(): return 1\n",
        "def f():\n    def inner(): pass\n    inner.calls = 0\n",
        "def f():\n    def inner(): pass\n    return locals()\n",
        "def f():\n    global inner\n    def inner(): pass\n",
        "def f():\n    def inner(): pass\n    def g():\n        nonlocal inner\n        inner = 1\n",
        "def f():\n    def inner(): pass\n    del inner\n",
    ],
)
def test_what_depends_on_its_place_stays(text: str) -> None:
    assert hoisted_function(text) is None


def test_clashes_are_found_between_the_scopes_too() -> None:
    text = dedent("""\
        def outer(inner):
            def middle():
                def inner(): return 1
                return inner()
            return middle() + inner
        def result(): return outer(5)
        """)
    found = hoist_function(text, span_of(text, "def inner(): return 1"))
    assert found is not None
    assert found.name == "_inner"
    assert run(apply_edits(text, found.edits)) == run(text) == 6


def test_decorators_may_be_in_the_span() -> None:
    text = "def f():\n    @staticmethod\n    def inner(): return 1\n    return inner\nresult = f()\n"
    found = hoist_function(text, span_of(text, "@staticmethod\n    def inner(): return 1"))
    assert found is not None
    assert run(apply_edits(text, found.edits)) == 1


def test_text_that_does_not_parse_is_left_alone() -> None:
    assert hoist_lambda("print 1\nx = lambda: 0\n", Span(12, 21), hint="x") is None
    assert hoist_function("print 1\ndef f():\n  def g(): pass\n", Span(19, 32)) is None
