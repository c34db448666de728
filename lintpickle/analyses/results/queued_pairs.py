"""Results that several processes put into one queue, which the main process pairs by position with what it has sent.

Measured with CPython 3.11: `get()` gives what was put first, whichever process has put it. With one process that is the
order of the tasks; a result that says itself to what it belongs is in no need of one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.calls_and_values.returned_keys import returns_key, tells_key
from lintpickle.analyses.results.completion_order import CompletionOrder, tells_which
from lintpickle.analyses.results.paired_by_place import paired_by_place
from lintpickle.analyses.results.unordered_pairs import UnorderedPair
from lintpickle.analyses.waiting.fed_queues import QUEUE_PUTS
from lintpickle.analyses.waiting.followed_queues import users_of_queue
from lintpickle.analyses.workers.several_workers import loop_around
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call
from lintpickle.fixes.syntax import Placed, SourceTree
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, FunctionValue, ProductValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_QUEUE = "mp-queue"
_GETS = frozenset({"get"})
_GETTING = re.compile(r"\.\s*get\s*\(")
_ORDERED = frozenset({"list", "tuple", "tqdm"})


def queued_pairs(code: WorkerCode, linker: Linker) -> Iterator[UnorderedPair]:
    """The first place at which results of a queue into which several processes put them are paired by position."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party:
        return
    if loop_around(boundary.site) is None or _GETTING.search(boundary.frame.module.code) is None:
        return
    for crossing in linker.shipped_by(boundary):
        match crossing.value:
            case ProductValue(call=Call() as queue, frame=made) if crossing.value.product.kind == _QUEUE and made:
                is_one = loop_around(Site(made.module, queue.span)) is None
                if is_one and _is_put_without_key(crossing.path, queue, code, linker):
                    found = next(_paired(queue, boundary.site, linker), None)
                    if found is not None:
                        yield found
                        return
            case _:
                pass


def _is_put_without_key(path: str, queue: Call, code: WorkerCode, linker: Linker) -> bool:
    """Whether workers put something into a queue, and nothing that may tell to what it belongs."""
    is_put = False
    for function, written in users_of_queue(path, queue, QUEUE_PUTS, code, linker):
        found = node_of(function.module, function.facts)
        for value in _puts(found[1], written) if found is not None else ():
            assert found is not None
            if isinstance(value, ast.Constant):
                continue
            if _may_tell(value, found[1], found[0], function, linker):
                return False
            is_put = True
    return is_put


def _puts(node: ast.FunctionDef, queue: str) -> Iterator[ast.expr]:
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Attribute(value=base, attr=method), args=[value, *_]) if method in QUEUE_PUTS:
                if ast.unparse(base) == queue:
                    yield value
            case _:
                pass


def _may_tell(
    value: ast.expr, node: ast.FunctionDef, source: SourceTree, function: WorkerFunction, linker: Linker
) -> bool:
    """Whether what is put may say to what it belongs: it is a pair or a record, or is made of what the worker was given
    by something that is not read."""
    options = [value]
    if isinstance(value, ast.Name):
        options = [
            each.value
            for each in ast.walk(node)
            if isinstance(each, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == value.id for target in each.targets)
        ]
    given = {each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
    given |= {
        name.id
        for each in ast.walk(node)
        if isinstance(each, ast.For | ast.comprehension | ast.Assign)
        for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and name.id != getattr(value, "id", None)
    }
    return not options or any(_tells(each, given, source, function, linker) for each in options)


def _tells(value: ast.expr, given: set[str], source: SourceTree, function: WorkerFunction, linker: Linker) -> bool:
    match value:
        case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.BoolOp() | ast.JoinedStr():
            return isinstance(value, ast.JoinedStr)
        case ast.Call(func=callee):
            span = source.span(value)
            called = next(
                (each.call for each in function.facts.events if isinstance(each, Called) and each.span == span), None
            )
            if called is None or tells_key(value, given) or isinstance(callee, ast.Subscript):
                return True
            values = [traced.value for traced in linker.evaluate(called.function, function.frame)]
            return not values or not all(_gives_no_key(each) for each in values)
        case _:
            return True


def _gives_no_key(callee: object) -> bool:
    match callee:
        case FunctionValue():
            return not callee.opaque and not returns_key(callee)
        case ExternalValue():
            return True
        case ClassValue():
            return False
        case _:
            return False


def _paired(queue: Call, begins: Site, linker: Linker) -> Iterator[UnorderedPair]:
    """Where code pairs what it gets out of a queue, in the function that does, or in one that calls it."""
    for root in linker.activations_with(set(_GETS), _GETTING, begins.module.path):
        gets = frozenset(
            event.span
            for event in root.function.events
            if isinstance(event, Called)
            and isinstance(event.call.function, Attribute)
            and event.call.function.name in _GETS
            and _is_queue(event.call.function, queue, root, linker)
        )
        order = _order(root, gets, frozenset()) if gets else None
        if order is None:
            continue
        sent = order.sent()
        yield from _pairs(order, sent, root, order.place or begins)
        for caller, call in _callers(root, begins.module.path, linker) if order.given_back([]) else ():
            outer = _order(caller, frozenset(), frozenset({call.span}))
            names = _given(root, call, outer, sent) if outer is not None else frozenset[str]()
            if outer is not None and names:
                yield from _pairs(outer, names, caller, order.place or begins)


def _pairs(order: _QueueOrder, sent: frozenset[str], root: RootFrame, begins: Site) -> Iterator[UnorderedPair]:
    for found in paired_by_place(order, sent) if sent else ():
        site = Site(root.frame.module, order.source.span(found.node))
        yield UnorderedPair(site, found.sent, found.results, begins)


def _is_queue(method: Attribute, queue: Call, root: RootFrame, linker: Linker) -> bool:
    values = [traced.value for traced in linker.evaluate(method.base, root.frame)]
    return bool(values) and all(isinstance(each, ProductValue) and each.call is queue for each in values)


def _callers(root: RootFrame, asker: str, linker: Linker) -> Iterator[tuple[RootFrame, Call]]:
    name = callable_name(root.function)
    form = re.compile(rf"(?<!def )\b{re.escape(name)}\s*\(")
    for caller in linker.activations_with({name}, form, asker):
        for event in caller.function.events:
            if isinstance(event, Called) and form.search(caller.frame.module.code, event.span.start, event.span.end):
                called = (traced.value for traced in linker.evaluate(event.call.function, caller.frame))
                if any(isinstance(each, FunctionValue) and each.facts is root.function for each in called):
                    yield caller, event.call


def _given(root: RootFrame, call: Call, order: _QueueOrder, sent: frozenset[str]) -> frozenset[str]:
    """The names, in a caller, of what it gives the parameters that a function sends."""
    names = [each.name for each in root.function.parameters][1 if root.instance_name is not None else 0 :]
    node = next((each for each in order.calls() if order.source.span(each) == call.span), None)
    if node is None or any(isinstance(each, ast.Starred) for each in node.args):
        return frozenset()
    given = [*zip(names, node.args, strict=False), *((each.arg, each.value) for each in node.keywords)]
    return frozenset().union(*(order.roots(value) for name, value in given if name in sent))


def _order(root: RootFrame, gets: frozenset[Span], calls: frozenset[Span]) -> _QueueOrder | None:
    function, module = root.function, root.frame.module
    found = node_of(module, function) if not function.is_module_body else None
    if found is None:
        return None
    nodes = tuple(found[0].nodes_within(function.span))
    return _QueueOrder(found[0], nodes, gets, calls, Site(module, function.span))


class _QueueOrder(CompletionOrder):
    """The order of the results that a function takes one by one: `gets` are the calls that take one each, and `calls`
    those that give all of them."""

    def __init__(
        self,
        source: SourceTree,
        nodes: tuple[Placed, ...],
        gets: frozenset[Span],
        calls: frozenset[Span],
        function: Site,
    ) -> None:
        super().__init__(source, nodes, lambda node: source.span(node) in calls, _passes)
        self._gets, self._function = gets, function

    @property
    def place(self) -> Site | None:
        """Where the first result is taken."""
        first = min(self._gets, key=lambda each: each.start, default=None)
        return Site(self._function.module, first) if first is not None else None

    def calls(self) -> Iterator[ast.Call]:
        """The calls of the function."""
        return (each for each in self.nodes if isinstance(each, ast.Call))

    def sent(self) -> frozenset[str]:
        """The names of what a result is taken for each of."""
        taking = (each for each in self.calls() if self.source.span(each) in self._gets)
        return frozenset().union(*(self.roots(around) for each in taking for around in self.around(each)[-1:]))

    def holds(self, node: ast.expr, steps: int = 8) -> bool:
        match node:
            case ast.ListComp(elt=element, generators=[one]) | ast.GeneratorExp(elt=element, generators=[one]):
                if not one.ifs and self._takes(element) and not tells_which(element, one.target):
                    return True
            case ast.Name(id=name) if any(self._takes_each(loop, name) for loop in self._filling(name)):
                place = self.source.span(node).start
                if self._sorted.get(name, place) >= place:
                    return True
            case _:
                pass
        return super().holds(node, steps)

    def _takes_each(self, loop: ast.For | ast.AsyncFor, name: str) -> bool:
        """Whether each round of a loop takes one result, and puts that into a list of that name."""
        for each in (inner for statement in loop.body for inner in ast.walk(statement)):
            match each:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr="append"), args=[value]) if base == name:
                    return self._takes(value) or (isinstance(value, ast.Name) and self._is_taken(value.id, loop))
                case _:
                    pass
        return False

    def _is_taken(self, name: str, loop: ast.For | ast.AsyncFor) -> bool:
        return any(
            isinstance(each, ast.Assign)
            and isinstance(each.targets[0], ast.Name)
            and each.targets[0].id == name
            and self._takes(each.value)
            for each in loop.body
        )

    def _takes(self, value: ast.expr) -> bool:
        """Whether an expression is what is taken, or a call with that."""
        match value:
            case ast.Call() if self.source.span(value) in self._gets:
                return True
            case ast.Call(args=[first]):
                return self._takes(first)
            case _:
                return False


def _passes(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in _ORDERED
