"""Workers that read a pipe until it ends, for whose end the main process waits while it has the end open to which it
writes.

Measured with CPython 3.11, under fork, spawn and forkserver: `join()` waits for ever. Under spawn and forkserver it
does not where `close()` stands before it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.waiting.pipes_kept_by_main import MAY_CLOSE
from lintpickle.analyses.waiting.pipes_kept_open import end_not_given, pipes_read_to_the_end
from lintpickle.analyses.waiting.process_joins import names_of_process
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.parsing.syntax import FUNCTIONS, dotted, last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_SENDS = frozenset({"send", "send_bytes"})
_CLOSE, _JOIN = "close", "join"
_ENDS_PROCESS = frozenset({"terminate", "kill"})


class PipeClosedLate(Struct, frozen=True):
    """A function of a worker that reads a pipe until its end, where it does, where the pipe is made, where the main
    process waits for the worker, and by what name it has the other end, which it has not closed by then."""

    function: WorkerFunction
    read: Site
    made: Site
    waits: Site
    writer: str


def pipes_closed_late(code: WorkerCode, linker: Linker) -> Iterator[PipeClosedLate]:
    """The pipes that a process reads until their end, if the function which starts the process, or a method of the
    object that keeps it, waits for the process first and closes the other end then, or never. The ends have names, or
    are attributes of one object; nothing is done with the other one but sending and closing."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or boundary.frame.module.has(MAY_CLOSE):
        return
    for function, call, pipe, home in pipes_read_to_the_end(code, linker):
        if boundary.frame.function is not home.function:
            continue
        for writer in end_not_given(pipe, boundary.call, home):
            waits = _waits_first(writer, boundary, home, linker)
            if waits is not None:
                read, made = Site(function.module, call.span), Site(home.module, pipe.span)
                yield PipeClosedLate(function, read, made, Site(home.module, waits), writer)


def _waits_first(writer: str, boundary: BoundaryCall, home: Frame, linker: Linker) -> Span | None:
    """Where the process is waited for before the other end is closed in the same function, if no other one closes it,
    or ends the process."""
    source = source_tree(home.module.code)
    if source is None or _is_in_loop(boundary.call.span, source):
        return None
    span = home.function.span if writer.isidentifier() else Span(0, len(source.text))
    nodes = [*source.nodes_within(span)]
    used = _calls_on(writer, nodes)
    if used is None or any(each.attr in _ENDS_PROCESS for each in nodes if isinstance(each, ast.Attribute)):
        return None
    closed = [source.span(each) for each in used if each.attr == _CLOSE]
    names = names_of_process(boundary, home.module, linker)
    methods = [source.span(each) for each in nodes if isinstance(each, FUNCTIONS)]
    functions = [span] if writer.isidentifier() else methods
    for function in functions:
        joins = [source.span(each) for each in nodes if _joins(each, names) and function.contains(source.span(each))]
        if joins and all(function.contains(each) and each.start > joins[0].end for each in closed):
            return joins[0]
    return None


def _calls_on(writer: str, nodes: Sequence[ast.AST]) -> list[ast.Attribute] | None:
    """The methods that are called on an end of a pipe, if it is assigned once, and nothing else is done with it than
    that it is sent by and closed."""
    name = writer.rpartition(".")[2]
    named = [
        each
        for each in nodes
        if (isinstance(each, ast.Name) and each.id == writer) or (isinstance(each, ast.Attribute) and each.attr == name)
    ]
    methods = [each.func for each in nodes if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)]
    used = [each for each in methods if dotted(each.value) == writer]
    is_closed_world = all(each.attr in _SENDS or each.attr == _CLOSE for each in used)
    return used if is_closed_world and len(named) == len(used) + 1 else None


def _joins(node: ast.AST, names: frozenset[str]) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr=name), args=[], keywords=[]) if name == _JOIN:
            return last_name(base) in names
        case _:
            return False


def _is_in_loop(place: Span, source: SourceTree) -> bool:
    loops = (each for each in source.nodes if isinstance(each, ast.For | ast.While))
    return any(source.span(each).contains(place) for each in loops)
