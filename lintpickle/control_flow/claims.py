"""Claims: what a condition says of an expression once its answer is known, and which claims cannot both be true."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: lambda left, right: is_same(left, right),
    ast.IsNot: lambda left, right: not is_same(left, right),
}
"""What comparisons do with constants."""
_POSITIVE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.NotEq: ast.Eq,
    ast.IsNot: ast.Is,
    ast.NotIn: ast.In,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
}
_MANY = 10**9
_FALSE = (None, 0, "", b"")
"""Constants of the kinds that are false: whatever is false compares as one of them, or not at all."""


class Claim(Struct, frozen=True):
    """`subject` is the text of an expression that is compared with a constant (`compare` is the operator), is true
    (`compare` is None, and so is `other`), or anything else, and `answer` what comes out. `test` is the expression."""

    subject: str
    compare: type[ast.cmpop] | None
    other: object
    answer: bool
    test: ast.expr

    def allows(self, value: object) -> bool:
        """Whether the subject can be a constant."""
        if self.compare is None:
            return bool(value) is self.answer
        if self.compare is ast.Is and self.answer:
            return value == self.other  # `x == 0` may be of False, too.
        try:
            return bool(COMPARED[self.compare](value, self.other)) is self.answer
        except TypeError:
            return False


def is_same(left: object, right: object) -> bool:
    """Whether two constants are the same object, as far as `is` can be relied on."""
    return type(left) is type(right) and left == right


def connected(test: ast.expr) -> tuple[Sequence[ast.expr], bool] | None:
    """The parts of a test, and the answer of one of them that decides it: True of `a or b`, False of `a and b`, also as
    NumPy writes them (`np.logical_and(a, b)`). None if it is no such test."""
    match test:
        case ast.BoolOp(op=connective, values=parts):
            return parts, isinstance(connective, ast.Or)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr="logical_and" | "logical_or" as name),
            args=[_, _] as parts,
            keywords=[],
        ):
            return parts, name == "logical_or"
        case _:
            return None


def tests_in(test: ast.expr, answer: bool) -> Iterator[tuple[ast.expr, bool]]:
    """The tests that have to come out so for a test to answer so: each part of `a and b` that is true, and of `a or b`
    that is not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from tests_in(operand, not answer)
        case ast.BoolOp() | ast.Call() if (joined := connected(test)) is not None and joined[1] is not answer:
            for part in joined[0]:
                yield from tests_in(part, answer)
        case ast.Call(func=ast.Name(id="bool"), args=[argument], keywords=[]):
            yield from tests_in(argument, answer)
        case _:
            yield test, answer


@lru_cache(maxsize=2048)
def claims(test: ast.expr, answer: bool) -> tuple[Claim, ...]:
    """What a test says that answers so: each of its parts says its own."""
    return tuple(claim for part, of_part in tests_in(test, answer) for claim in _claims_of(part, of_part))


def _claims_of(test: ast.expr, answer: bool) -> Iterator[Claim]:
    match test:
        case ast.Compare(left=left, ops=[compare], comparators=[right]):
            kind = type(compare)
            positive = _POSITIVE.get(kind, kind)
            same = answer if positive is kind else not answer
            if positive is ast.In and not same and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
                yield from _unlike(left, right.elts, test)
            constant = _constant(right)
            if constant is not None and positive in COMPARED:
                yield Claim(ast.dump(left), positive, constant.value, same, test)
            else:
                yield Claim(f"{ast.dump(left)} {positive.__name__} {ast.dump(right)}", None, None, same, test)
        case _:
            yield Claim(ast.dump(test), None, None, answer, test)


def _constant(expression: ast.expr) -> ast.Constant | None:
    """The constant that an expression writes out, which may be a negative number."""
    match expression:
        case ast.Constant():
            return expression
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return ast.Constant(-number)
        case _:
            return None


def is_of_several(test: ast.expr, answer: bool) -> bool:
    """Whether a test that answers so says of something that it has more than one element, or at least one:
    `len(items) < 2` that is not true."""
    match test:
        case ast.Compare(left=ast.Call(func=ast.Name(id="len")), comparators=[ast.Constant(value=int())]):
            said = list(claims(test, answer))
            return all(each.allows(2) and each.allows(_MANY) for each in said) and not all(
                each.allows(0) and each.allows(1) for each in said
            )
        case _:
            return False


def _unlike(left: ast.expr, others: Iterable[ast.expr], test: ast.expr) -> Iterator[Claim]:
    """What `left not in (…)` says: of each constant, that it is another one."""
    for other in others:
        if isinstance(other, ast.Constant):
            yield Claim(ast.dump(left), ast.Is if other.value is None else ast.Eq, other.value, False, test)


def contradict(one: Claim, other: Claim) -> bool:
    """Whether two claims of one expression cannot both be true."""
    if one.subject != other.subject:
        return False
    if (one.compare, one.other) == (other.compare, other.other) and type(one.other) is type(other.other):
        return one.answer is not other.answer
    return any(
        not any(map(second.allows, values))
        for first, second in ((one, other), (other, one))
        if (values := _only(first)) is not None
    )


def _only(claim: Claim) -> tuple[object, ...] | None:
    """The constants one of which the subject is, or of whose kind it is; None if it may be anything else."""
    if claim.compare in (ast.Eq, ast.Is) and claim.answer:
        return (claim.other,)
    if claim.compare is None and not claim.answer:
        return _FALSE
    return None
