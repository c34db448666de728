"""Daemon processes that are told to end and never waited for: they read a queue or a pipe until a sentinel comes, which
the main process sends before it ends itself.

Measured with CPython 3.11 under fork, spawn and forkserver: when the main process ends, `multiprocessing` terminates
its daemon processes, whatever they still have to do, and only then sends what is left in the buffers of queues. A
listener that takes 10 ms for a record has handled one of 20.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from lintpickle.analyses.at_import.naming_modules import imported_by
from lintpickle.analyses.waiting.fed_queues import CHANNEL_SENDS
from lintpickle.analyses.workers.daemonic import is_daemonic
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    ExternalResult,
    Frame,
    InstanceValue,
    ProductValue,
    Site,
)
from lintpickle.parsing.syntax import FUNCTIONS, in_scope
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_GETS = frozenset({"get", "get_nowait", "recv"})
_JOINS = frozenset({"join"})
_KINDS = frozenset({"mp-queue", "mp-connection"})
"""What the catalog calls queues of processes, and the ends of pipes."""
_JOIN = re.compile(r"\.\s*join\s*\(")
_TARGET = re.compile(r"\btarget\s*=\s*(?:\w+\.)*(\w+)")
_WAITS = re.compile(
    r"\.\s*(?:acquire|communicate|poll|recv\w*|result|wait\w*|get_nowait|is_alive|exitcode|sentinel|empty|qsize)\b"
    r"|\.\s*get\(\s*(?:\)|timeout|block|True|False|\d)|\.\s*get\s*[,)]"
    r"|\b(?:active_children|input|select|sleep|serve_forever|run_forever|mainloop|pause|waitpid|_exit|terminate|kill)\s*\("
    r"|\b(?:ProcessPoolExecutor|ThreadPoolExecutor|Pool|asyncio|atexit|signal|weakref)\b"
)
"""What may wait for the process, for something that it does, or for other things for long; what may end it or see to it
at the end; and what may take long."""


class UnjoinedDaemon(Struct, frozen=True):
    """The function that reads until the sentinel comes, where it tests for that, and where the main process sends
    it."""

    function: WorkerFunction
    test: Span
    sentinel: str
    sent: Site


def unjoined_daemon(code: WorkerCode, linker: Linker) -> UnjoinedDaemon | None:
    """How a daemon process is told to end for which nothing waits; None if something may wait, or nobody tells it."""
    boundary = code.boundary
    if boundary is None or code.is_cut or not boundary.frame.module.first_party or not _is_daemon(code, linker):
        return None
    channels = _channels(boundary, linker)
    ends = [(each, *end) for each in code.functions if each.module.first_party for end in _ends_at(each)]
    there = _modules(boundary, code, linker) if ends else ()
    for function, sentinel, test in ends:
        sent = next(_sent(sentinel, channels, there, code, linker), None)
        if sent is not None and not _is_awaited(boundary, channels, there, code, linker):
            return UnjoinedDaemon(function, test, sentinel, sent)
    return None


def _modules(boundary: BoundaryCall, code: WorkerCode, linker: Linker) -> tuple[Module, ...]:
    """The modules of the program that may have to do with the process: those on the way to it, what they import, and
    what imports the one that makes it."""
    home = boundary.frame.module
    words = Words({home.name.rpartition(".")[2]})
    named = linker.first_party.naming_in_text(words, home.path, imported_by(home))
    users = (each for each in named if home in imported_with([each], linker))
    found = imported_with([site.module for site in code.way], linker)
    return tuple({each.path: each for each in (*found, *users) if each.first_party}.values())


def _is_daemon(code: WorkerCode, linker: Linker) -> bool:
    """Whether it is surely a daemon process, of the class of the library."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or boundary.callee is not None:
        return False
    return is_daemonic(code, linker)


def _ends_at(function: WorkerFunction) -> Iterator[tuple[str, Span]]:
    """The sentinels at which a function ends a loop that reads a queue or a pipe, as they are written, each with the
    place of the test."""
    source = source_tree(function.module.code)
    for node in source.nodes_within(function.facts.span) if source is not None else ():
        assert source is not None
        match node:
            case ast.For(iter=ast.Call(func=ast.Name(id="iter"), args=[ast.Attribute(attr=name), sentinel]) as test):
                if name in _GETS:
                    yield ast.unparse(sentinel), source.span(test)
            case ast.While(test=ast.Compare(left=ast.NamedExpr(value=got), ops=[ast.IsNot() | ast.NotEq()]) as test):
                if _is_got(got):
                    yield ast.unparse(test.comparators[0]), source.span(test)
            case ast.While(test=ast.Constant(value=value), body=body) if value:
                yield from _left_at(body, source)
            case _:
                pass


def _left_at(body: list[ast.stmt], source: SourceTree) -> Iterator[tuple[str, Span]]:
    """The sentinels at which an endless loop is left: `if item is None: break`."""
    statements = list(in_scope(body))
    names = {
        target.id
        for each in statements
        if isinstance(each, ast.Assign) and _is_got(each.value)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    for each in statements:
        match each:
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.Eq()], comparators=[sentinel]) as test,
                body=[*_, ast.Break() | ast.Return()],
            ) if name in names:
                yield ast.unparse(sentinel), source.span(test)
            case ast.If(
                test=ast.Compare(
                    left=ast.NamedExpr(value=got), ops=[ast.Is() | ast.Eq()], comparators=[sentinel]
                ) as test,
                body=[*_, ast.Break() | ast.Return()],
            ) if _is_got(got):
                yield ast.unparse(sentinel), source.span(test)
            case _:
                pass


def _is_got(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(attr=name), args=[]):
            return name in _GETS
        case _:
            return False


def _channels(boundary: BoundaryCall, linker: Linker) -> frozenset[int]:
    """The calls that have made the queues and pipes which the process gets."""
    values = (crossing.value for crossing in linker.shipped_by(boundary))
    return frozenset(id(made) for each in values for made in _made(each))


def _made(value: AbstractValue) -> Iterator[Call]:
    match value:
        case ProductValue(product=product, call=made) if product.kind in _KINDS and made is not None:
            yield made
        case ExternalResult(path=path, call=made) if path in _KINDS:
            yield made
        case _:
            pass


def _sent(
    sentinel: str, channels: frozenset[int], there: tuple[Module, ...], code: WorkerCode, linker: Linker
) -> Iterator[Site]:
    """Where functions that the process does not run send the sentinel through a queue or pipe that it gets."""
    form = _sends(sentinel.rpartition(".")[2])
    for root in linker.activations_with(CHANNEL_SENDS, form, code.root.site.module.path) if channels else ():
        module = root.frame.module
        for event in root.function.events if module in there else ():
            match event:
                case Called(call=Call(span=span, function=Attribute(base=base, name=name))) if name in CHANNEL_SENDS:
                    pass
                case _:
                    continue
            if form.search(module.code[span.start : span.end]) is None or _is_of_worker(span.start, module, code):
                continue
            found = (made for traced in linker.evaluate(base, root.frame) for made in _made(traced.value))
            if any(id(made) in channels for made in found):
                yield Site(module, span)


@lru_cache(maxsize=64)
def _sends(sentinel: str) -> re.Pattern[str]:
    written = re.escape(sentinel).replace("'", "[\"']")
    return re.compile(rf"\.(?:put|put_nowait|send)\(\s*(?:\w+\.)*{written}\s*\)")


def _is_of_worker(place: int, module: Module, code: WorkerCode) -> bool:
    """Whether a place is in a function that the process runs, or another process or thread begins with."""
    spans = (each.facts.span for each in code.functions if each.module is module)
    return any(span.start <= place < span.end for span in (*spans, *_targets(module)))


def _targets(module: Module) -> tuple[Span, ...]:
    def find() -> tuple[Span, ...]:
        names, source = set(_TARGET.findall(module.code)), source_tree(module.code)
        found = source.nodes if names and source is not None else ()
        functions = [each for each in found if isinstance(each, FUNCTIONS) and each.name in names]
        return tuple(source.span(each) for each in functions if source is not None)

    return module.remembered(("functions that are targets",), find)


def _is_awaited(
    boundary: BoundaryCall,
    channels: frozenset[int],
    there: tuple[Module, ...],
    code: WorkerCode,
    linker: Linker,
) -> bool:
    """Whether something in the program may wait for the process, or for something that it does: that it has marked all
    items of a queue as done."""
    for module in there:
        if any(not _is_of_worker(found.start(), module, code) for found in _WAITS.finditer(module.code)):
            return True
    asker = boundary.frame.module.path
    for root in linker.activations_with(_JOINS, _JOIN, asker):
        for event in root.function.events if root.frame.module in there else ():
            if not isinstance(event, Called) or not isinstance(event.call.function, Attribute):
                continue
            is_join = event.call.function.name in _JOINS and not _is_of_worker(
                event.span.start, root.frame.module, code
            )
            if is_join and _may_be(event.call.function, boundary, root.frame, linker):
                return True
            if is_join and _is_channel(event.call.function, channels, root.frame, linker):
                return True
    return False


def _is_channel(function: Attribute, channels: frozenset[int], frame: Frame, linker: Linker) -> bool:
    """Whether what is joined is a queue that the process gets."""
    found = (made for traced in linker.evaluate(function.base, frame) for made in _made(traced.value))
    return any(id(made) in channels for made in found)


def _may_be(function: Attribute, boundary: BoundaryCall, frame: Frame, linker: Linker) -> bool:
    """Whether what is joined may be the process."""
    for traced in linker.evaluate(function.base, frame):
        match traced.value:
            case ConstantValue(value=str()):
                pass
            case ProductValue(call=made) | InstanceValue(call=made) if made is not None and made is not boundary.call:
                pass
            case _:
                return True
    return False
