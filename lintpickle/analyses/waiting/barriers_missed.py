"""Barriers at which workers wait for ever, since one of those that are counted never gets there.

Measured with CPython 3.11, under fork, spawn and forkserver, for the barriers of `multiprocessing`, of a context and of
a manager: `wait()` returns only when as many have called it as the barrier was made for, whatever becomes of the
others. A time, given to `Barrier` or to `wait()`, and `abort()` end it with `BrokenBarrierError`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.calls_and_values.lengths_returned import given_to, number_of
from lintpickle.analyses.waiting.barrier_counts import WorkerLoop, surplus_of, worker_loop
from lintpickle.analyses.waiting.barrier_ways import MissingWay, ways_past
from lintpickle.analyses.waiting.followed_queues import name_of_queue, users_of_queue
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, ending_name
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
)
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_BARRIER, _OF_THREADS, _PROXY = "Barrier", "threading.", "multiprocessing.managers.BarrierProxy"
_CONSTRUCTOR = "__init__"
_SPAWN = "spawn"
_KINDS = frozenset({"process", _SPAWN})
_WAITS = frozenset({"wait"})
_ENDS = re.compile(r"\.\s*(?:abort|terminate|kill)\b|\bBrokenBarrierError\b")
"""What stands in code that ends the waiting, or expects that something does."""
_JOINS = re.compile(r"\.\s*join\(\s*\)")


class BarrierMissed(Struct, frozen=True):
    """A barrier that is not reached by all: where a function of a worker turns past it, how it is called there, and
    where it is made, for how many."""

    function: WorkerFunction
    site: Site
    barrier: str
    made: Site
    parties: str
    way: MissingWay | None
    """None if all workers reach it, and the barrier counts one more than there are."""
    waits: str = ""
    """How the function waits there on other ways: a method, as it is written."""


class _Barrier(Struct, frozen=True):
    """The call that makes a barrier, where that stands, and the name or attribute to which it is assigned."""

    call: Call
    home: Frame
    source: SourceTree
    name: str
    parties: ast.expr
    keeper: Frame | None = None
    """The constructor that makes the object which keeps the barrier, if its class is another than that of the method
    that starts the processes; `parties` is what this object is given there."""


def barriers_missed(code: WorkerCode, linker: Linker) -> Iterator[BarrierMissed]:
    """The barriers that a loop gives to as many processes as they count, where one of them has a way that does not
    come to `wait()`; and those that count one more than all that could wait."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.frame.module.first_party:
        return
    if not any(_BARRIER in each.code for each in (boundary.frame.module, *(each.module for each in code.functions))):
        return
    told = set[int]()
    for crossing in linker.shipped_by(boundary):
        barrier = _made(crossing.value)
        if barrier is None or id(barrier.call) in told:
            continue
        told.add(id(barrier.call))
        if _owner_of(barrier.home.function) not in ("", _owner_of(boundary.frame.function)):
            barrier = _asgiven_to(barrier, boundary.frame)
        elif barrier.home.module is not boundary.frame.module:
            continue
        if barrier is None:
            continue
        waiting = [*users_of_queue(crossing.path, barrier.call, _WAITS, code, linker)]
        found = _missed(barrier, waiting, code, linker) if waiting else None
        if found is not None:
            yield found


def _made(value: AbstractValue) -> _Barrier | None:
    """The barrier that a call makes for a number of processes, without a time."""
    match value:
        case ProductValue(call=Call() as call, frame=Frame() as home):
            is_barrier = ending_name(call.function) == _BARRIER and not value.path.startswith(_OF_THREADS)
        case ExternalResult(path=path, call=Call() as call, frame=Frame() as home) if path == _PROXY:
            is_barrier = ending_name(call.function) == _BARRIER
        case _:
            return None
    source = source_tree(home.module.code) if is_barrier and home.module.first_party else None
    name = name_of_queue(call, source) if source is not None else None
    if source is None or name is None:
        return None
    match source.call_at(call.span):
        case (
            ast.Call(args=[parties], keywords=[])
            | ast.Call(args=[], keywords=[ast.keyword(arg="parties", value=parties)])
        ):
            return _Barrier(call, home, source, name, parties)
        case _:
            return None


def _owner_of(function: FunctionFacts) -> str:
    """The name of the class whose method a function is; "" if it is none."""
    return function.qualname.rpartition(".")[0]


def _asgiven_to(barrier: _Barrier, home: Frame) -> _Barrier | None:
    """A barrier that an object keeps, for as many as it is told by who makes it, in the class that starts processes."""
    made = barrier.home.function
    bound = barrier.home.bindings.get(made.parameters[0].name) if made.parameters else None
    owner = bound.value if bound is not None else None
    if made.name != _CONSTRUCTOR or not isinstance(owner, InstanceValue) or not isinstance(barrier.parties, ast.Name):
        return None
    keeper, call = owner.frame, owner.call
    if keeper is None or call is None or keeper.module is not home.module or barrier.parties.id in made.variables:
        return None
    if keeper.function is not home.function and _owner_of(keeper.function) != _owner_of(home.function):
        return None
    source = source_tree(keeper.module.code)
    given = given_to(barrier.parties.id, call, made, source) if source is not None else None
    return replace(barrier, parties=given, keeper=keeper) if given is not None else None


def _methods_with(barrier: _Barrier) -> dict[str, Span]:
    """The methods, but for constructors, that use the barrier which another object keeps, with their places."""
    name = barrier.name.rpartition(".")[2]
    found = dict[str, Span]()
    for node in barrier.source.nodes if barrier.keeper is not None else ():
        if not isinstance(node, ast.FunctionDef) or node.name == _CONSTRUCTOR:
            continue
        if any(isinstance(each, ast.Attribute) and each.attr == name for each in ast.walk(node)):
            found[node.name] = barrier.source.span(node)
    return found


def _is_called_elsewhere(methods: dict[str, Span], barrier: _Barrier, code: WorkerCode, linker: Linker) -> bool:
    """Whether code that does not run in the workers may call one of the methods that use a barrier."""
    called = re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, methods))})\b")
    for module in linker.modules if methods else ():
        spans = [each.facts.span for each in code.functions if each.module is module]
        spans += methods.values() if module is barrier.home.module else ()
        for found in called.finditer(module.code):
            if not any(span.start <= found.start() < span.end for span in spans):
                return True
    return False


def _missed(
    barrier: _Barrier, waiting: list[tuple[WorkerFunction, str]], code: WorkerCode, linker: Linker
) -> BarrierMissed | None:
    boundary = code.boundary
    assert boundary is not None
    entries = [each for each in code.functions if each.entry and each.module.first_party]
    home = boundary.frame
    source = source_tree(home.module.code) if barrier.keeper is not None else barrier.source
    modules = {each.path: each for each in (barrier.home.module, home.module, *(each.module for each, _ in waiting))}
    made_before = barrier.call.span if barrier.home.module is home.module else Span(0, 0)
    loop = _loop(boundary, made_before, source) if source is not None else None
    if source is None or len(entries) != 1 or loop is None or any(each.has(_ENDS) for each in modules.values()):
        return None
    counting, entry = barrier.keeper or home, entries[0]
    surplus = surplus_of(barrier.parties, loop, source, lambda items: number_of(items, counting, linker))
    waits = _waits_of_main(barrier, waiting, boundary.call.span, code, linker)
    if surplus not in (0, 1) or waits is None or not (boundary.spec.kind == _SPAWN or home.module.has(_JOINS)):
        return None
    if _is_called_elsewhere(_methods_with(barrier), barrier, code, linker):
        return None
    marks, written = (
        _marks(entry, waiting, linker),
        next((text for each, text in waiting if each is entry), barrier.name),
    )
    node = node_of(entry.module, entry.facts)
    if node is None or marks is None:
        return None
    made, parties = Site(barrier.home.module, barrier.call.span), ast.unparse(barrier.parties)
    if surplus == 1 and not waits:
        return BarrierMissed(entry, made, barrier.name, made, parties, None)
    if waits is not (surplus == 1):
        return None
    own = {
        name
        for place in loop.differing
        for name in (parameter_at(place, entry.facts, boundary.spec),)
        if name is not None
    }
    for way in ways_past(node[1], marks, own, written, _shared(entry, code, linker)):
        span = node[0].span(way.turn)
        if isinstance(way.turn, ast.ExceptHandler):
            span = Span(span.start, node[0].span(way.turn.type or way.turn.body[0]).end)
        elif isinstance(way.turn, ast.If):
            span = Span(span.start, node[0].span(way.turn.test).end)
        return BarrierMissed(entry, Site(entry.module, span), written, made, parties, way, min(marks))
    return None


def _loop(boundary: BoundaryCall, barrier: Span, source: SourceTree) -> WorkerLoop | None:
    """The loop that makes the processes: that of the program, or the one in `mp.spawn`, which gives each its number and
    waits for them."""
    function = boundary.frame.function.span
    if boundary.spec.kind != _SPAWN:
        return worker_loop(boundary.call.span, function, barrier, source)
    node = source.call_at(boundary.call.span)
    given = [each.value for each in node.keywords if each.arg == "nprocs"] if node is not None else []
    if node is None or any(each.arg == "join" for each in node.keywords):
        return None
    given += node.args[2:3]
    return WorkerLoop(ast.Call(ast.Name("range"), given, []), (-1,), function) if given else None


def _shared(entry: WorkerFunction, code: WorkerCode, linker: Linker) -> set[str]:
    """The parameters of a function by which it gets something that others get, too: an event, a queue, memory."""
    boundary = code.boundary
    found = set[str]()
    for crossing in linker.shipped_by(boundary) if boundary is not None else ():
        place = place_in_args(crossing.path)
        if boundary is not None and place is not None and isinstance(crossing.value, ProductValue | ExternalResult):
            found.add(parameter_at(place, entry.facts, boundary.spec) or "")
    return found


def _waits_of_main(
    barrier: _Barrier, waiting: list[tuple[WorkerFunction, str]], start: Span, code: WorkerCode, linker: Linker
) -> bool | None:
    """Whether the code that makes a barrier waits there itself. None if it uses the barrier in another way, too, or if
    more than one process gets it."""
    source, module = barrier.source, barrier.home.module
    name, is_attribute = barrier.name.rpartition(".")[2], "." in barrier.name
    if is_attribute:
        form = re.compile(rf"\.\s*{re.escape(name)}\b")
        if any(each is not module and form.search(each.code) is not None for each in linker.modules):
            return None
    is_everywhere = is_attribute or barrier.home.function.is_module_body
    span = Span(0, len(source.text)) if is_everywhere else barrier.home.function.span
    starts = [start] if code.root.site.module is module else []
    inside = [*starts, *(each.facts.span for each in code.functions if each.module is module)]
    inside += _methods_with(barrier).values()
    waits = False
    bases = {id(node.value): node for node in source.nodes_within(span) if isinstance(node, ast.Attribute)}
    for node in source.nodes_within(span):
        match node:
            case ast.Attribute(attr=attr) if is_attribute and attr == name:
                pass
            case ast.Name(id=attr) if not is_attribute and attr == name:
                pass
            case _:
                continue
        at = source.span(node).start
        if isinstance(node.ctx, ast.Store) or any(each.start <= at < each.end for each in inside):
            continue
        if id(node) not in bases or bases[id(node)].attr not in _WAITS:
            return None
        waits = True
    return waits


def _marks(entry: WorkerFunction, waiting: list[tuple[WorkerFunction, str]], linker: Linker) -> frozenset[str] | None:
    """The methods, as they are written, by which a function comes to wait at a barrier: its own, and those of functions
    that do so. None if one of these is called in another way."""
    marks = {f"{written}.wait" for each, written in waiting if each is entry}
    for helper, _ in waiting:
        if helper is entry:
            continue
        texts = set[str]()
        for event in entry.facts.events:
            if isinstance(event, Called):
                values = [each.value for each in linker.evaluate(event.call.function, entry.frame)]
                if any(isinstance(each, FunctionValue) and each.facts is helper.facts for each in values):
                    span = event.call.function.span
                    texts.add(entry.module.code[span.start : span.end])
        if not texts or any("." not in each for each in texts):
            return None
        marks |= texts
    return frozenset(marks)
