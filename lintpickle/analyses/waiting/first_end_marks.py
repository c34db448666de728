"""Queues into which several processes put an end mark each, and whose one reader leaves at the first of them.

Measured with CPython 3.11, under fork, spawn and forkserver: what the other processes put behind that mark is never
read, and nothing is raised.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.named_values import value_named
from lintpickle.analyses.waiting.end_marks import EndMark
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.followed_queues import queue_made, users_of_queue
from lintpickle.analyses.waiting.only_readers import only_reader
from lintpickle.analyses.waiting.processes_at_queue import processes_at_queue
from lintpickle.analyses.workers.several_workers import is_of_one_task
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, Site
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import dotted, expression_in
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"process", "pool", "executor"})
_STOPS = re.compile(r"\.\s*(?:terminate|kill)\(|\bos\.kill\b")
"""What ends processes on purpose before they have put everything: the first one that is done may be all that counts."""


class EndedByFirst(Struct, frozen=True):
    """Where the one reader of a queue takes items until an end mark, where each of several processes puts one, and the
    function with which these begin."""

    taken: Site
    put: Span
    function: WorkerFunction


def ended_by_first(code: WorkerCode, linker: Linker) -> Iterator[EndedByFirst]:
    """The queues that several processes of one function fill and end, and that one loop reads up to the first end."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not is_of_one_task(boundary):
        return
    module = boundary.frame.module
    if not module.first_party or module.has(_STOPS):
        return
    for crossing in linker.shipped_by(boundary):
        queue = queue_made(crossing.value)
        for function, written in users_of_queue(crossing.path, queue[0], QUEUE_PUTS, code, linker) if queue else ():
            put = _last_put(function, written) if function.entry else None
            if queue is None or put is None or processes_at_queue(code, function, queue, linker) < 2:
                continue
            found = only_reader(queue, code, linker)
            if found is not None and _is_mark(put, function, found.mark, found.frame, linker):
                yield EndedByFirst(found.taken, function.frame.paths.span(put), function)
                return


def _last_put(function: WorkerFunction, queue: str) -> ast.Call | None:
    """The call by which a function puts something into a queue last, on every way that does not raise; None if it puts
    nothing before, or waits there for others."""
    tree = function.frame.paths.tree
    definition = next((each for each in within(tree) if isinstance(each, ast.FunctionDef)), None)
    last = next(_puts_at_the_end(definition.body, queue), None) if definition is not None else None
    if last is None:
        return None
    place = (last.lineno, last.col_offset)
    nodes = [each for each in within(tree) if isinstance(each, ast.Name | ast.Attribute | ast.Call)]
    before = [each for each in nodes if (each.lineno, each.col_offset) < place]
    after = [each for each in nodes if (each.lineno, each.col_offset) > (last.end_lineno, last.end_col_offset)]
    uses = [each for each in before if not isinstance(each, ast.Call) and ast.unparse(each) == queue]
    is_used_after = any(ast.unparse(each) == queue for each in after if not isinstance(each, ast.Call))
    return last if len(uses) > 0 and not is_used_after and not any(map(_waits, before)) else None


def _puts_at_the_end(body: list[ast.stmt], queue: str) -> Iterator[ast.Call]:
    """The calls that put something into a queue and to which a function comes on every way, the last one first."""
    for statement in reversed(body):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr=method), args=[_, *_]) as call):
                if method in QUEUE_PUTS and ast.unparse(base) == queue:
                    yield call
            case ast.With(body=inner):
                yield from _puts_at_the_end(inner, queue)
            case ast.Try(body=inner, orelse=others, finalbody=final):
                yield from _puts_at_the_end([*inner, *others, *final], queue)
            case _:
                pass


def _waits(node: ast.AST) -> bool:
    """Whether a process waits for others: at a barrier, or until its queue is worked off."""
    match node:
        case ast.Call(func=ast.Attribute(attr="wait")) | ast.Call(func=ast.Attribute(attr="join"), args=[]):
            return True
        case _:
            return False


def _is_mark(put: ast.Call, function: WorkerFunction, mark: EndMark, reader: Frame, linker: Linker) -> bool:
    """Whether what a process puts last is what the reader takes for the end."""
    item = put.args[0]
    if mark.place is not None:
        elements = item.elts if isinstance(item, ast.Tuple | ast.List) else []
        if len(elements) <= mark.place:
            return False
        item = elements[mark.place]
    last, asked = _constant(item, function.frame, linker), expression_in(mark.value)
    return last is not None and asked is not None and last == _constant(asked, reader, linker)


def _constant(written: ast.expr, frame: Frame, linker: Linker) -> str | None:
    """The constant that is written, or that a name stands for; an object that stands for itself is none."""
    match written:
        case ast.Constant(value=value):
            return repr(value)
        case ast.Name() | ast.Attribute() if dotted(written):
            values = [each.value for each in linker.evaluate(value_named(written, frame), frame)]
            known = {repr(each.value) for each in values if isinstance(each, ConstantValue)}
            return known.pop() if len(known) == 1 and len(values) == 1 else None
        case _:
            return None
