"""Queues into which one end mark is put, though several workers read them until they find one.

Measured with CPython 3.11, under fork, spawn and forkserver: each item goes to one reader. The others wait for ever in
`get()`, and the main process for them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.calls_of_methods import is_called_once
from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.waiting.end_marks import EndMark, end_mark
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.followed_queues import (
    definition_around,
    name_in_record,
    name_of_queue,
    queue_made,
    users_of_queue,
)
from lintpickle.analyses.waiting.items_taken import GETS
from lintpickle.analyses.waiting.marks_elsewhere import marks_elsewhere
from lintpickle.analyses.waiting.processes_at_queue import processes_at_queue
from lintpickle.analyses.workers.at_once import innermost_loop
from lintpickle.boundaries.attribute_uses import is_used_outside
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_PROCESS = "process"
_ENDED_OTHERWISE = re.compile(
    r"\.\s*(?:terminate|kill)\(|\bos\.kill\b|\.\s*join\(\s*timeout\b|\.\s*join\(\s*[\d.]+\s*\)"
)
"""What ends workers that wait, or does not wait for them."""
_DAEMON, _JOINS = re.compile(r"\bdaemon\b"), re.compile(r"\.\s*join\(\s*\)")


class MarksMissing(Struct, frozen=True):
    """The last place that puts an end mark into a queue, the function of the workers that read it, and where they wait;
    how they call the queue, and how many marks are put into it."""

    put: Site
    function: WorkerFunction
    taken: Span
    queue: str
    marks: int


class _Queue(Struct, frozen=True):
    """A queue that a process is given: by what path, which call makes it, and how it is called there; whether it is a
    part of a record."""

    path: str
    made: Call
    frame: Frame
    name: str
    in_record: bool


def too_few_end_marks(code: WorkerCode, linker: Linker) -> Iterator[MarksMissing]:
    """The queues from which several processes of one function take items until an end mark, of which fewer are put
    there than there are processes."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != _PROCESS or not boundary.frame.module.first_party:
        return
    module = boundary.frame.module
    if module.has(_ENDED_OTHERWISE) or (module.has(_DAEMON) and not module.has(_JOINS)):
        return
    source = source_tree(module.code)
    for queue in _queues(boundary, linker, source) if source is not None else ():
        for function, written in users_of_queue(queue.path, queue.made, GETS, code, linker):
            node = node_of(function.module, function.facts)
            mark = end_mark(node[1], written, function.module) if node is not None else None
            if node is None or mark is None or source is None:
                continue
            if queue.in_record and _bare_uses(written, ast.walk(node[1])) != []:
                continue
            readers = processes_at_queue(code, function, (queue.made, queue.frame), linker)
            puts = _Puts(queue, mark, code, source, linker).found() if readers > 1 else []
            if puts and len(puts) < readers:
                taken = node[0].span(mark.taken)
                yield MarksMissing(puts[-1], function, taken, written, len(puts))
                return


def _queues(boundary: BoundaryCall, linker: Linker, source: SourceTree) -> Iterator[_Queue]:
    for crossing in linker.shipped_by(boundary):
        made = queue_made(crossing.value)
        if made is not None and made[1].module is boundary.frame.module:
            name = name_of_queue(made[0], source)
            is_here = made[1].function is boundary.frame.function
            recorded = _name_in_own_record(made[0], boundary, source) if name is None and is_here else None
            if name is not None or recorded is not None:
                yield _Queue(crossing.path, made[0], made[1], name or recorded or "", recorded is not None)


def _name_in_own_record(queue: Call, boundary: BoundaryCall, source: SourceTree) -> str | None:
    """How a queue in a record is written, if the function that makes that does nothing with the record but give it to
    the processes and call methods of what it holds."""
    name, start = name_in_record(queue, source), boundary.call.span
    bare = _bare_uses(name, [*source.nodes_within(boundary.frame.function.span)]) if name is not None else None
    outside = [each for each in bare or [] if not start.start <= source.span(each).start < start.end]
    return name if len(outside) == 1 else None  # The one is where it is assigned.


def _bare_uses(name: str, nodes: Iterable[ast.AST]) -> list[ast.Name] | None:
    """Where code uses the record of a queue but for a part of it; None if it does more with a part than call methods,
    or calls a method of the record."""
    record, nodes = re.split(r"[.\[]", name)[0], [*nodes]
    bases = {id(each.value) for each in nodes if isinstance(each, ast.Attribute)}
    called = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
    parts = [each for each in nodes if isinstance(each, ast.Attribute | ast.Subscript) and _is_of(each, record)]
    if any(id(each) not in bases or id(each) in called for each in parts):
        return None
    inside = {id(each.value) for each in parts}
    return [each for each in nodes if isinstance(each, ast.Name) and each.id == record and id(each) not in inside]


def _is_of(part: ast.Attribute | ast.Subscript, record: str) -> bool:
    return isinstance(part.value, ast.Name) and part.value.id == record


class _Puts:
    """The places that put an end mark into a queue."""

    def __init__(self, queue: _Queue, mark: EndMark, code: WorkerCode, source: SourceTree, linker: Linker) -> None:
        self._queue, self._mark, self._code, self._source, self._linker = queue, mark, code, source, linker
        self._module, self._asker = queue.frame.module, code.root.site.module.path

    def found(self) -> list[Site]:
        """The places, those of other modules first, if each of them puts one mark; none if that is not known of all."""
        found = marks_elsewhere(self._mark, self._queue.made, self._queue.frame, self._linker)
        if found is None or self._may_be_put_otherwise():
            return []
        for node in self._source.nodes:
            match node:
                case ast.Call(func=ast.Attribute(value=base, attr=method), args=[item, *_]) if method in QUEUE_PUTS:
                    if not self._mark.is_in(item, self._module):
                        continue
                case _:
                    continue
            is_ours = self._is_ours(node, ast.unparse(base))
            if is_ours is None or (is_ours and self._is_repeated(node)):
                return []
            found += [Site(self._module, self._source.span(node))] if is_ours else []
        return found

    def _may_be_put_otherwise(self) -> bool:
        """Whether marks stand in lists, or other modules use the queue of an object."""
        for node in self._source.nodes:
            match node:
                case ast.List(elts=elements) if any(self._mark.is_in(each, self._module) for each in elements):
                    return True
                case ast.ListComp(elt=element) | ast.GeneratorExp(elt=element):
                    if self._mark.is_in(element, self._module):
                        return True
                case _:
                    pass
        if "." not in self._queue.name or self._queue.in_record:
            return False
        class_ = self._class_of_queue()
        name = self._queue.name.rpartition(".")[2]
        return class_ is None or is_used_outside(name, class_, self._module, self._linker.first_party)

    def _class_of_queue(self) -> ast.ClassDef | None:
        """The class whose objects have the queue."""
        place, classes = self._queue.made.span, (each for each in self._source.nodes if isinstance(each, ast.ClassDef))
        spans = ((each, self._source.span(each)) for each in classes)
        return next((each for each, span in spans if span.start <= place.start < span.end), None)

    def _is_ours(self, put: ast.Call, base: str) -> bool | None:
        """Whether something is put into the queue; None if that is not known."""
        around = definition_around(put, self._source)
        place = self._source.span(put).start
        for other in self._linker.worker_codes():
            for function in other.functions:
                span = function.facts.span
                if function.module is self._module and span.start <= place < span.end:
                    used = users_of_queue(self._path_in(other), self._queue.made, QUEUE_PUTS, other, self._linker)
                    is_given = any(each is function and written == base for each, written in used)
                    is_one = all(innermost_loop(site) is None for site in other.way)
                    return None if is_given and not is_one else is_given
        home = self._code.boundary.frame.function.span if self._code.boundary is not None else None
        if around is None or (home is not None and self._source.span(around).end == home.end):
            return base == self._queue.name
        if base == self._queue.name and "." in base:
            is_once = not self._queue.in_record and is_called_once(around.name, self._module, self._asker, self._linker)
            return True if is_once else None
        return self._is_given_once(around, base)

    def _is_given_once(self, function: ast.FunctionDef | ast.AsyncFunctionDef, parameter: str) -> bool | None:
        """Whether one call gives the queue to a parameter of a function, which is then known to be called once."""
        names = [each.arg for each in function.args.args]
        uses = [each for each in self._source.nodes if isinstance(each, ast.Name) and each.id == function.name]
        calls = [each for each in self._source.nodes if isinstance(each, ast.Call) and each.func in uses]
        if parameter not in names or len(calls) < len(uses):
            return None
        place = names.index(parameter)
        given = [ast.unparse(each.args[place]) if len(each.args) > place else "" for each in calls]
        if "" in given or (self._queue.name in given and (len(calls) > 1 or self._is_repeated(calls[0]))):
            return None
        return self._queue.name in given

    def _path_in(self, other: WorkerCode) -> str:
        """By what path the workers of another boundary are given the queue."""
        shipped = self._linker.shipped_by(other.boundary) if other.boundary is not None else ()
        made = (self._queue.made, self._queue.frame)
        return next((each.path for each in shipped if queue_made(each.value) == made), "")

    def _is_repeated(self, call: ast.Call) -> bool:
        site = Site(self._module, self._source.span(call))
        return innermost_loop(site) is not None
