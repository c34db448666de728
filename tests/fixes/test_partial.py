"""Binding what a lambda captures: what is rewritten, and what must be left alone, each with its reason."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Span
from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.partial import bind_function, bind_lambda


def bound(text: str) -> str | None:
    """`text` after binding the lambda that begins at the first `lambda` and ends at `)` at the end of its line."""
    start = text.index("lambda")
    moved = bind_lambda(text, Span(start, text.index(")\n", start)), hint="collate_fn")
    return apply_edits(text, moved.edits) if moved is not None else None


@pytest.mark.parametrize(
    ("before", "call", "definition"),
    [
        ("def f(n):\n    use(lambda b: b * n)\n", "partial(_collate_fn, n=n)", "(b, *, n):\n    return b * n"),
        ("def f(n):\n    use(lambda: n)\n", "partial(_collate_fn, n=n)", "(*, n):\n    return n"),
        (
            "def f(n):\n    m = n\n    use(lambda b, k=1: m)\n",
            "partial(_collate_fn, m=m)",
            "(b, k=1, *, m):\n    return m",
        ),
        (
            "def f(n, m):\n    use(lambda b: n + m)\n",
            "partial(_collate_fn, m=m, n=n)",
            "(b, *, m, n):\n    return n + m",
        ),
    ],
)
def test_captured_variables_are_bound(before: str, call: str, definition: str) -> None:
    after = bound(before)
    assert after is not None
    assert "from functools import partial" in after
    assert f"use({call})" in after
    assert f"def _collate_fn{definition}" in after
    compile(after, "example.py", "exec")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f():\n    use(lambda b: b)\n", id="nothing is captured"),
        pytest.param("def f(self):\n    use(lambda b: self.n)\n", id="all of the object would travel"),
        pytest.param("def f(n):\n    n = 2\n    use(lambda b: n)\n", id="bound twice"),
        pytest.param("def f(n):\n    use(lambda b: n)\n    n = 2\n", id="bound again afterwards"),
        pytest.param("def f():\n    use(lambda b: n)\n    n = 2\n", id="bound afterwards only"),
        pytest.param("def f(x):\n    for n in x:\n        use(lambda b: n)\n", id="a loop's variable"),
        pytest.param("def f(x):\n    while x:\n        n = x()\n        use(lambda b: n)\n", id="bound in a loop"),
        pytest.param("def f():\n    with x() as n:\n        use(lambda b: n)\n", id="may be a handle"),
        pytest.param("def f(n):\n    use(lambda *b: n)\n", id="takes any arguments"),
        pytest.param("n = 1\nuse(lambda b: n)\n", id="a global is not captured"),
    ],
)
def test_left_alone(text: str) -> None:
    assert bound(text) is None


def rebound(text: str) -> str | None:
    """`text` after binding what the nested function `inner` captures."""
    start = text.index("    def inner")
    end = text.index("\n    return", start)
    moved = bind_function(text, Span(start + 4, end))
    return apply_edits(text, moved.edits) if moved is not None else None


def test_a_closure_becomes_a_partial() -> None:
    after = rebound(
        "def outer(width, pad=0):\n    def inner(items):\n        return items, width, pad\n    return inner\n"
    )
    assert after == (
        "from functools import partial\n\n\n"
        "def _inner(items, *, pad, width):\n    return items, width, pad\n\n\n"
        "def outer(width, pad=0):\n    inner = partial(_inner, pad=pad, width=width)\n    return inner\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "def outer(width):\n    def inner(items):\n        return inner(width)\n    return inner\n",
        "def outer(width):\n    def inner(items):\n        return width\n    return inner, (width := 2)\n",
        "def outer(n):\n    for k in n:\n        pass\n    def inner(items):\n        return k\n    return inner\n",
        "def outer(width):\n    def inner(*items):\n        return width\n    return inner\n",
        "def outer(width):\n    @cache\n    def inner(items):\n        return width\n    return inner\n",
        "def outer(width):\n    def inner(items):\n        nonlocal width\n        width = 1\n    return inner\n",
        "class A:\n  def outer(self):\n    def inner(items):\n        return self\n    return inner\n",
    ],
)
def test_closures_that_are_left_alone(text: str) -> None:
    assert rebound(text) is None
