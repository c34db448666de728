"""Where Python code asks for fork."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.boundaries.forked_by_request import is_for_mac
from lintpickle.control_flow.claims import tests_in
from lintpickle.diagnostics import Position, Span
from lintpickle.migration.model import Pin, Spot
from lintpickle.migration.pinning import Pinning, pinning
from lintpickle.parsing.syntax import last_name
from lintpickle.source.document import Document

CONTEXT = "context"
"""The kind of a pin that makes a context: it concerns what that context starts."""
_BOUNDARY = "boundary"
START_METHOD = "start method"
"""The kind of a pin that concerns what the program starts and that is given no other start method."""
_FORK = "fork"
_LONGEST = 80


def pins_in(document: Document) -> Iterator[Pin]:
    """The pins in a file or notebook; none in one that cannot be read as Python."""
    known = pinning()
    if known.words.search(document.text) is None:
        return
    try:
        tree = ast.parse(document.code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node, only_on_mac in _nodes(tree):
        for kind, at in _pins_at(node, known):
            begin = document.lines.offset(Position(at.lineno, 1))
            spot = Spot.of(document.location(Span(begin, begin)))
            text = ast.get_source_segment(document.code, at) or ""
            own = (spot,) if kind == _BOUNDARY else () if kind == CONTEXT else None
            yield Pin(_shortened(text), kind, spot, own, only_on_mac)


def _nodes(tree: ast.AST, on_mac: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """All that stands in a tree, and whether it does so under a test for macOS."""
    waiting = [(tree, on_mac)]
    while waiting:
        node, is_there = waiting.pop()
        yield node, is_there
        for name, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    is_arm = isinstance(node, ast.If) and name in ("body", "orelse")
                    is_here = is_arm and isinstance(node, ast.If) and _asks_for_mac(node.test, name == "body")
                    waiting.append((child, is_there or is_here))


def _asks_for_mac(test: ast.expr, holds: bool) -> bool:
    return any(is_for_mac(*part) for part in tests_in(test, holds))


def pin_of(text: str, spot: Spot, covers: tuple[Spot, ...]) -> Pin:
    """A call that gets the word by way of other code, and what that starts."""
    return Pin(_shortened(text), CONTEXT, spot, covers)


def _shortened(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _pins_at(node: ast.AST, known: Pinning) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Call(func=func, args=arguments, keywords=keywords):
            kind = known.calls.get(last_name(func))
            if kind is not None and arguments and _is_fork(arguments[0]):
                yield kind, node
            for keyword in keywords:
                if kind is not None and keyword.arg == "method" and _is_fork(keyword.value):
                    yield kind, node
                elif kind is None and keyword.arg is not None:
                    yield from _of_keyword(keyword.arg, keyword.value, node, known)
            if last_name(func) in known.classes:
                yield _BOUNDARY, node
            variable = [_text(argument) for argument in arguments[:2]]
            is_setting = last_name(func) in ("setdefault", "putenv", "setenv") and len(variable) == 2
            if is_setting and known.is_variable(variable[0], variable[1]):
                yield "environment", node
        case ast.ClassDef(bases=bases):
            yield from ((CONTEXT, base) for base in bases if last_name(base) in known.classes)
        case ast.Assign(targets=[ast.Subscript(slice=key) as target], value=value):
            if known.is_variable(_text(key), _text(value)):
                yield "environment", target
        case ast.Dict(keys=names, values=values):
            for each, held in zip(names, values, strict=True):
                name = _text(each) if each is not None else ""
                if known.is_variable(name, _text(held)):
                    yield "environment", held
                elif known.keywords.get(name) == "setting" and _is_fork(held):
                    yield "setting", held
        case _:
            pass


def _of_keyword(name: str, value: ast.expr, call: ast.expr, known: Pinning) -> Iterator[tuple[str, ast.expr]]:
    if _text(value) in known.values.get(name, ()):
        yield _BOUNDARY, call
    elif _is_fork(value) and name in known.keywords:
        yield ("setting" if known.keywords[name] == START_METHOD else known.keywords[name]), call


def _is_fork(value: ast.expr) -> bool:
    """Whether an expression is "fork", at least on one way (`"fork" if … else None`)."""
    if isinstance(value, ast.IfExp):
        return _is_fork(value.body) or _is_fork(value.orelse)
    return _text(value) == _FORK


def _text(value: ast.expr) -> str:
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""
