"""Pipes whose two ends are kept, or given away, as the one tuple that `Pipe()` returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.worker_side import WorkerFunction

_NAMED = re.compile(r"(?:self\.)?\w+")
_GIVEN_AND_UNPACKED = 2
_UNLESS_A_PART = r"(?!\s*\[)"
_UNLESS_SENT = r"(?!\s*\.\s*send(?:_bytes)?\()"


def pair_made(pipe: Call, home: Frame) -> str | None:
    """The variable, or attribute of `self`, to which a function assigns both ends."""
    source = source_tree(home.module.code)
    for node in source.nodes_within(home.function.span) if source is not None else ():
        match node:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
                written = dotted(target)
                if source is not None and source.span(value) == pipe.span and _NAMED.fullmatch(written):
                    return written
            case _:
                pass
    return None


def ends_of_pair(pair: str, function: Span, source: SourceTree) -> Iterator[list[str]]:
    """The names of the ends, for each place of a function that unpacks a pair: `reader, writer = pair`."""
    for node in source.nodes_within(function):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[_, _] as ends)], value=value) if dotted(value) == pair:
                written = [dotted(each) for each in ends]
                if all(_NAMED.fullmatch(each) for each in written):
                    yield written
            case _:
                pass


def other_end_of_worker(function: WorkerFunction, read: Call, pipe: Call, start: Call, home: Frame) -> int | None:
    """Which end of a pair that it is given at a start a worker leaves open, having unpacked it, and reads the other
    one; None if it has not, or does anything with that end but send by it."""
    source, code, span = source_tree(function.module.code), function.module.code, function.facts.span
    node, pair = source.find_function(span, function.facts.name) if source is not None else None, pair_made(pipe, home)
    if source is None or node is None or pair is None:
        return None
    is_given = _mentions(pair, home.module.code[start.span.start : start.span.end], _UNLESS_A_PART) > 0
    reader = code[read.span.start : read.span.end].rpartition(".")[0]
    body = code[source.span(node.body[0]).start : span.end]
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)])], value=value):
                written, names = dotted(value), [first, second]
            case _:
                continue
        if reader in names and first != second and (is_given if written.isidentifier() else written == pair):
            place = 1 - names.index(reader)
            is_left = _mentions(names[place], body, _UNLESS_SENT) == _mentions(written, body) == 1
            return place if is_left else None
    return None


def names_in_worker(given: ast.Tuple | ast.List, function: WorkerFunction) -> dict[str, str]:
    """What variables that a process is given in `args` are called there: as its parameters; or, of a pair of them, as
    the names to which it unpacks that parameter, and uses it for nothing else."""
    named = dict[str, str]()
    for part, parameter in zip(given.elts, function.facts.parameters, strict=False):
        match part:
            case ast.Name(id=name):
                named[name] = parameter.name
            case ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=second)]):
                named |= dict(zip((first, second), _unpacked(parameter.name, function), strict=False))
            case _:
                pass
    return named


def _unpacked(parameter: str, function: WorkerFunction) -> list[str]:
    source, span = source_tree(function.module.code), function.facts.span
    if source is None or _mentions(parameter, function.text) != _GIVEN_AND_UNPACKED:
        return []
    return next(ends_of_pair(parameter, span, source), [])


def _mentions(name: str, text: str, unless: str = "") -> int:
    return len(re.findall(rf"(?<![\w.]){re.escape(name)}\b{unless}", text))


def names_of_other_end(pipe: Call, place: int, home: Frame) -> Iterator[str]:
    """How the function that makes a pair may write one end of it."""
    pair, source = pair_made(pipe, home), source_tree(home.module.code)
    if pair is not None and source is not None:
        yield from (ends[place] for ends in ends_of_pair(pair, home.function.span, source))
        yield f"{pair}[{place}]"
