"""How many processes a loop starts, compared with the number for which a barrier is made."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import SourceTree

_LOOPS = ast.For | ast.ListComp | ast.GeneratorExp | ast.SetComp
_AS_MANY = frozenset({"enumerate", "list", "tuple", "sorted", "reversed"})
"""What gives as many items as what it is given."""
_Count = tuple[str, int]


class WorkerLoop(Struct, frozen=True):
    """A loop that makes one process in each round: what it goes through, and the places in `args` of what differs."""

    over: ast.expr
    differing: tuple[int, ...]
    function: Span


def worker_loop(start: Span, function: Span, barrier: Span, source: SourceTree) -> WorkerLoop | None:
    """The loop of a function around the call that makes a process, if it does so in each round, and if no other loop is
    around it since the barrier was made."""
    around = [
        each for each in source.nodes_within(function) if _has(each, start, source) and not _has(each, barrier, source)
    ]
    loops = [each for each in around if isinstance(each, _LOOPS)]
    if len(loops) != 1 or any(isinstance(each, ast.If | ast.IfExp | ast.While | ast.Try) for each in around):
        return None
    match loops[0]:
        case ast.For(target=target, iter=over, body=body):
            if any(isinstance(node, ast.Continue | ast.Break) for each in body for node in ast.walk(each)):
                return None
        case ast.ListComp(generators=[one]) | ast.GeneratorExp(generators=[one]) | ast.SetComp(generators=[one]):
            target, over = one.target, one.iter
            if one.ifs:
                return None
        case _:
            return None
    names = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    places = [at for at, each in enumerate(_given(start, source)) if names & _names(each)]
    return WorkerLoop(over, tuple(places), function)


def surplus_of(
    parties: ast.expr, loop: WorkerLoop, source: SourceTree, length_of: Callable[[ast.expr], ast.expr | None]
) -> int | None:
    """How many more a barrier is made for than processes are made; None if that cannot be compared. `length_of` says
    what the number of items is of a list that a function has made."""
    made, started = _count(parties, loop.function, source), _rounds(loop.over, loop.function, source)
    if made is not None and started is not None and made[0] != started[0]:
        number = length_of(_gone_through(loop.over))
        started = _count(number, loop.function, source) if number is not None else None
    if made is None or started is None or made[0] != started[0]:
        return None
    return made[1] - started[1]


def _gone_through(over: ast.expr) -> ast.expr:
    """What a loop has one round for each item of: `rows` of `range(len(rows))` and `enumerate(rows)`."""
    while isinstance(over, ast.Call) and over.args and isinstance(over.func, ast.Name):
        if over.func.id not in _AS_MANY | {"range", "len"}:
            break
        over = over.args[0]
    return over


def _rounds(over: ast.expr, function: Span, source: SourceTree) -> _Count | None:
    match over:
        case ast.Call(func=ast.Name(id="range"), args=[count], keywords=[]):
            return _count(count, function, source)
        case ast.Call(func=ast.Name(id=name), args=[each, *_]) if name in _AS_MANY:
            return _rounds(each, function, source)
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return None if any(isinstance(each, ast.Starred) for each in elements) else ("", len(elements))
        case ast.Name() | ast.Attribute():
            return f"len({_written(over)})", 0
        case _:
            return None


def _count(value: ast.expr, function: Span, source: SourceTree) -> _Count | None:
    """A number as a text and what is added to it; numbers alone have no text."""
    match value:
        case ast.Constant(value=int() as number):
            return "", number
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=int() as number)):
            pass
        case ast.BinOp(left=ast.Constant(value=int() as number), op=ast.Add(), right=left):
            pass
        case ast.Name(id=name):
            given = [*_given_to(name, function, source)]
            inner = given[0] if len(given) == 1 else None
            known = isinstance(inner, ast.Constant | ast.BinOp) or _is_length(inner)
            return _count(inner, function, source) if inner is not None and known else (name, 0)
        case ast.Attribute():
            return _written(value), 0
        case _ if _is_length(value):
            return _written(value), 0
        case _:
            return None
    found = _count(left, function, source)
    return (found[0], found[1] + number) if found is not None else None


def _given_to(name: str, function: Span, source: SourceTree) -> Iterator[ast.expr | None]:
    """What a variable of a function is given, at each place; None for what is not understood."""
    for node in source.nodes_within(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=stored)], value=value) if stored == name:
                yield value
                continue
            case ast.AugAssign(target=ast.Name(id=stored)) | ast.For(target=ast.Name(id=stored)) if stored == name:
                yield None
                yield None
            case _:
                pass


def _is_length(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "len" and len(value.args) == 1


def _written(value: ast.expr) -> str:
    """An expression as it is written; what an object keeps has the name of what it is given (`self.rows = rows`)."""
    return ast.unparse(value).replace("self.", "")


def _has(node: ast.AST, span: Span, source: SourceTree) -> bool:
    return isinstance(node, ast.stmt | ast.expr) and source.span(node).contains(span)


def _given(start: Span, source: SourceTree) -> list[ast.expr]:
    """What a process is given by `args`, in order."""
    call = source.call_at(start)
    for named in (each for each in call.keywords if each.arg == "args") if call is not None else ():
        if isinstance(named.value, ast.Tuple | ast.List):
            elements = named.value.elts
            return elements if not any(isinstance(each, ast.Starred) for each in elements) else []
    return []


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
