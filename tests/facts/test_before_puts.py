"""What a variable held before branches put something into it."""

from __future__ import annotations

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call, Choice, Expr, Name, PutInto, before_puts


def test_each_branch_may_have_put_something_in() -> None:
    """Sixty branches after one another are 2**60 ways to one object."""
    span = Span(0, 1)
    made: Expr = Call(span, Name(span, "dict"), ())
    value = made
    for _ in range(60):
        value = Choice(span, (PutInto(span, Call(span, Name(span, "add"), ()), value), value))
    assert list(before_puts(value)) == [made]
