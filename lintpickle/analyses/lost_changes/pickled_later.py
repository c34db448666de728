"""Objects that are pickled by a thread, some time after the call that hands them on, and what changes them before.

Measured with CPython 3.11, numpy 2 and torch 2.13, under every start method: `put` of a `multiprocessing.Queue` or
`JoinableQueue` leaves an object to the queue's feeder thread, `apply_async`, `map_async` and `starmap_async` of a pool
to its task handler, `submit` of an executor to its manager thread. What the next statement changed was pickled with
the change, all 6 of 6 times; of an array that a loop fills anew for each `put`, 19 of 20 came with a later value; a
list that is cleared behind `map_async` makes its result wait for ever. A `SimpleQueue`, a manager's queue, a pipe, and
`imap` of a generator pickle before they go on: 0 of 20.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.attributes_returned import attribute_returned
from lintpickle.analyses.calls_and_values.change_flow import Change, ChangeFlow, HandedOn
from lintpickle.analyses.calls_and_values.changing_calls import ChangingCalls
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.lost_changes.shared_tensors import sent_tensor
from lintpickle.analyses.waiting.fed_queues import CHANNEL_SENDS, QUEUE_PUTS
from lintpickle.facts.values import (
    Call,
    Collection,
    Comprehension,
    Constant,
    Data,
    Expr,
    Item,
    Mapping,
    before_puts,
    ending_name,
    options_of,
    uncalled,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ContainerValue,
    Frame,
    ProductValue,
    Site,
)
from lintpickle.interpreter.proxies import is_proxy
from lintpickle.parsing.syntax import FUNCTIONS, arguments_in_order, dotted
from lintpickle.payload.linker import Linker

TASKS = frozenset({"submit", "apply_async", "map_async", "starmap_async"})
_CHANGEABLE = frozenset({"list", "dict", "set", "bytearray", "deque", "defaultdict", "OrderedDict", "Counter"})
_RECORDS = frozenset({"dataclass", "define", "frozen", "mutable", "attrs", "s"})
_OF_ITS_OWN = frozenset({"__init__", "__new__", "__post_init__"})
_ARRAYS = ("numpy.", "torch.", "cupy.")
_RUN = "run"
_DEPTH = 3
"""How deep an object is sought in what is handed on: `queue.put((1, {"frame": frame}))`."""


class ChangedLater(Struct, frozen=True):
    """An object that is changed behind the call which hands it on: its name and place there, and that of the change."""

    name: str
    to: str
    site: Site
    change: Site
    way: Change


def changed_later(frame: Frame, calls: list[Call], linker: Linker) -> Iterator[ChangedLater]:
    """The objects that calls of a function hand on to be pickled later, and that it changes before it knows that they
    have been."""
    nodes = _nodes(frame, calls)
    handing = {node: list(_handed(node, call, frame, linker)) for node, call in nodes.items()}
    if not any(handing.values()):
        return
    effects = ChangingCalls(frame, linker)
    flow = ChangeFlow({node: found for node, found in handing.items() if found}, effects.effect)
    again = effects.me if not _is_run_once(frame, linker) else ""
    for change in flow.changes(body_of(frame), again):
        site, where = Site(frame.module, frame.paths.span(change.handed.place)), change.node
        assert isinstance(where, ast.expr)
        yield ChangedLater(
            change.handed.name, change.handed.to, site, Site(frame.module, frame.paths.span(where)), change
        )


def _is_run_once(frame: Frame, linker: Linker) -> bool:
    """Whether a function is the `run` of a process, which the process calls, and ends with."""
    parameters = frame.function.parameters
    if frame.function.name != _RUN or not parameters:
        return False
    me = frame.bindings.get(parameters[0].name)
    return me is not None and me.value is not None and linker.classes.kind(me.value) == "process"


def body_of(frame: Frame) -> list[ast.stmt]:
    """The statements of a function, or of a part of a module."""
    tree = frame.paths.tree
    body = tree.body
    if frame.function.is_module_body:
        return body
    if body and isinstance(body[0], ast.If) and isinstance(body[0].test, ast.Constant):
        body = body[0].body
    first = body[0] if body else None
    return first.body if isinstance(first, FUNCTIONS) else []


def _nodes(frame: Frame, calls: list[Call]) -> dict[ast.Call, Call]:
    """The calls in the tree of the function."""
    spans = {call.span: call for call in calls}
    found = dict[ast.Call, Call]()
    for statement in body_of(frame):
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                is_asked = node.func.attr in QUEUE_PUTS or node.func.attr in TASKS
                call = spans.get(frame.paths.span(node)) if is_asked else None
                if call is not None:
                    found[node] = call
    return found


def _handed(node: ast.Call, call: Call, frame: Frame, linker: Linker) -> Iterator[HandedOn]:
    """What a call hands on to be pickled later."""
    assert isinstance(node.func, ast.Attribute)
    to = dotted(node.func.value)
    for written, held in given_to_others(node, call) if to else ():
        yield from _parts(written, held, to, frame, linker, 0)


def given_to_others(node: ast.Call, call: Call) -> Iterator[tuple[ast.expr, Expr]]:
    """What a call puts into a queue or a pipe, or gives a task, as it is written and as it is read."""
    words = {each.arg: each.value for each in node.keywords}
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    given: list[tuple[ast.expr, Expr | None]] = []
    if method in CHANNEL_SENDS:
        given = [(node.args[0], call.argument("obj", 0))] if node.args else []
        given += [(words["obj"], call.keyword("obj"))] if "obj" in words else []
    elif method == "submit":
        positional = call.positional() or ()
        given = list(zip(node.args[1:], positional[1:], strict=False))
        given += [(value, call.keyword(word)) for word, value in words.items() if word is not None]
    else:
        for place, word in ((1, "iterable"),) if "map" in method else ((1, "args"), (2, "kwds")):
            third = words.get(word, node.args[place] if place < len(node.args) else None)
            given += [(third, call.argument(word, place))] if third is not None else []
    yield from ((written, held) for written, held in given if held is not None)


def _parts(node: ast.expr, value: Expr, to: str, frame: Frame, linker: Linker, depth: int) -> Iterator[HandedOn]:
    """The objects with names that an expression is or holds."""
    inner = without_narrowing(value)
    returned = attribute_returned(inner, frame, linker) if isinstance(node, ast.Name | ast.Call) else None
    if returned is not None and _may_change(returned.value, returned.frame, linker):
        is_container = _is_container(returned.value, returned.frame, linker)
        yield HandedOn(returned.name, node, to, is_container)
    match node, inner:
        case ((ast.Name() | ast.Attribute()), _) if dotted(node):
            if _may_change(inner, frame, linker) and sent_tensor(inner, frame, linker) is None:
                name = dotted(node)
                yield HandedOn(name, node, to, _is_container(inner, frame, linker))
        case ast.Subscript(value=base, slice=ast.Slice() | ast.Tuple()), Item(base=array):
            is_named = dotted(base) and not isinstance(base, ast.Subscript)
            if is_named and _is_array(array, frame, linker) and sent_tensor(array, frame, linker) is None:
                yield HandedOn(dotted(base), node, to, True)  # It shows a part of the array.
        case _ if depth == _DEPTH:
            pass
        case ((ast.Tuple(elts=nodes) | ast.List(elts=nodes) | ast.Set(elts=nodes)), Collection(elements=values)):
            if len(nodes) == len(values):
                for part, held in zip(nodes, values, strict=True):
                    yield from _parts(part, held, to, frame, linker, depth + 1)
        case ast.Dict(values=nodes), Mapping(items=items) if len(nodes) == len(items):
            for part, (_, held) in zip(nodes, items, strict=True):
                yield from _parts(part, held, to, frame, linker, depth + 1)
        case ast.Call(), Call() as made if keeps_what_it_is_given(made, frame, linker):
            written = arguments_in_order(node)
            if len(written) == len(made.arguments):
                for part, argument in zip(written, made.arguments, strict=True):
                    yield from _parts(part, argument.value, to, frame, linker, depth + 1)
        case _:
            pass


def _may_change(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether an object may be changed, and is pickled with all that is in it then: a proxy or a lock is not."""
    if all(isinstance(each, Constant | Data) for each in options_of(value)):
        return False
    found = [traced.value for traced in linker.evaluate(value, frame)]
    return not any(is_proxy(each) or isinstance(each, ProductValue | ClassValue) for each in found)


def _is_container(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether all that a value can be are lists, dicts, sets, arrays and the like, as far as it is known: what a loop
    has made of it is not."""
    known = [each for each in before_puts(value, through_sums=True) if type(each) is not Expr]
    return bool(known) and all(_is_one(each, frame, linker) for each in known)


def _is_one(value: Expr, frame: Frame, linker: Linker) -> bool:
    match value:
        case Collection(kind=kind) | Comprehension(kind=kind):
            return kind in _CHANGEABLE
        case Mapping():
            return True
        case Call() if _makes_array(value, frame, linker):
            return True
        case _:
            found = [traced.value for traced in linker.evaluate(value, frame)]
            return bool(found) and all(isinstance(each, ContainerValue) and each.kind in _CHANGEABLE for each in found)


def _makes_array(call: Call, frame: Frame, linker: Linker) -> bool:
    names = list(external_names(call.function, frame, linker))
    return bool(names) and all(name.startswith(_ARRAYS) for name in names)


def _is_array(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a slice of a value shows a part of it: it is an array."""
    return all(
        isinstance(each, Call) and _makes_array(each, frame, linker) for each in before_puts(value, through_sums=True)
    )


def keeps_what_it_is_given(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call makes a record that has what it is given: a dataclass, or a named tuple."""
    for traced in linker.evaluate(call.function, frame):
        match traced.value:
            case ClassValue(facts=facts) if _OF_ITS_OWN.isdisjoint(facts.methods):
                decorators = (uncalled(each) for each in facts.decorators)
                bases = (ending_name(each) for each in facts.bases)
                return any(ending_name(each) in _RECORDS for each in decorators) or "NamedTuple" in bases
            case ContainerValue(kind="namedtuple"):
                return True
            case _:
                pass
    return False
