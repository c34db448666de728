"""Places that close an end of a pipe by another name than its own: a `with`, or a loop through a list that keeps it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.parsing.names_read import within

_BEGINS = re.compile(r"\.\s*start\(\s*\)")
_WAITS = re.compile(r"\.\s*(?:join|get|recv|recv_bytes|result)\(\s*\)")
_KILLS = re.compile(r"\.\s*(?:terminate|kill)\(|\bset_inheritable\b|\bos\.close\(")


def closed_after_start(closes: re.Pattern[str], name: str, made: int, start: Call, home: Frame) -> Span | None:
    """Where the function which starts a process closes an end of a pipe first afterwards, before it waits, or another
    method does that of the object which keeps what has the name; None if it closes it before, or ends the process
    otherwise. `closes` finds what closes the end, which is made at a place."""
    code, span = home.module.code, home.function.span
    around, methods = _methods_beside(home) if "." in name else (span, [])
    begun = _BEGINS.search(code, start.span.end, span.end)
    if begun is None or _KILLS.search(code, around.start, around.end) or made > begun.start():
        return None
    if closes.search(code, made, begun.start()):
        return None
    for part in (Span(begun.end(), span.end), *methods):
        closed = closes.search(code, part.start, part.end)
        place = Span(*closed.span()) if closed is not None else None
        if place is None and part.end == span.end:
            place = closed_by_block(name, begun.end(), home) or closed_in_turn(name, start.span, home)
        if place is not None:
            return place if _WAITS.search(code, place.end, part.end) else None
    return None


def _methods_beside(home: Frame) -> tuple[Span, list[Span]]:
    """The class of a method, and the other methods of it."""
    source, span = source_tree(home.module.code), home.function.span
    for node in source.nodes_within(Span(0, len(source.text))) if source is not None else ():
        if source is None or not isinstance(node, ast.ClassDef):
            continue
        methods = [source.span(each) for each in node.body if isinstance(each, ast.FunctionDef)]
        others = [each for each in methods if each.end != span.end]
        if len(others) < len(methods):
            return source.span(node), others
    return span, []


def closed_by_block(name: str, start: int, home: Frame) -> Span | None:
    """The end of the `with` by which a function closes what a name stands for, if that ends behind a place."""
    source = source_tree(home.module.code)
    for node in source.nodes_within(home.function.span) if source is not None else ():
        match node:
            case ast.With(items=[ast.withitem(context_expr=ast.Name(id=held), optional_vars=None)]) if held == name:
                span = source.span(node) if source is not None else Span(0, 0)
                if span.end > start:
                    last = node.body[-1]
                    return source.span(last) if source is not None else None
            case _:
                pass
    return None


def closed_in_turn(name: str, made: Span, home: Frame) -> Span | None:
    """Where a loop closes all that a function has added to a list under a name, in a loop around the call that makes a
    process; None if the process is given the list."""
    source, given = source_tree(home.module.code), home.module.code[made.start : made.end]
    nodes = [*source.nodes_within(home.function.span)] if source is not None else []
    for kept, place in _kept(name, made, nodes, source) if source is not None else ():
        loops = (each for each in nodes if isinstance(each, ast.For) and _is_named(each.iter, kept))
        for loop in loops if re.search(rf"\b{kept}\b", given) is None else ():
            target = loop.target
            if place is not None:
                parts = target.elts if isinstance(target, ast.Tuple) else []
                target = parts[place] if len(parts) > place else loop.iter
            for node in within(loop):
                match node:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=closed), attr="close")):
                        if source is not None and _is_named(target, closed):
                            return source.span(node)
                    case _:
                        pass
    return None


def _kept(name: str, made: Span, nodes: Sequence[ast.AST], source: SourceTree) -> Iterator[tuple[str, int | None]]:
    """The lists to which the loop around a place adds what a name stands for, or a tuple with it at which place."""
    loops = [each for each in nodes if isinstance(each, ast.For | ast.While)]
    for loop in (each for each in loops if source.span(each).start <= made.start < source.span(each).end):
        for node in within(loop):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=kept), attr="append"), args=[ast.Tuple(elts=parts)]):
                    yield from ((kept, place) for place, each in enumerate(parts) if _is_named(each, name))
                case ast.Call(func=ast.Attribute(value=ast.Name(id=kept), attr="append"), args=[ast.Name(id=held)]):
                    if held == name:
                        yield kept, None
                case _:
                    pass


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
