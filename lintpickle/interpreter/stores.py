"""What is put into an object after it was made: by the function that made it, or by statements at module level."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import structs

from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import (
    UNNAMED,
    Attribute,
    Call,
    Expr,
    Item,
    Name,
    Parameter,
    before_puts,
    may_be,
    reads_the_same,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    ContainerValue,
    Done,
    Frame,
    InstanceValue,
    Slot,
    SlotKey,
    Stored,
    TracedValue,
)
from lintpickle.interpreter.callees import callees
from lintpickle.interpreter.in_containers import Is, contents, done_to_item
from lintpickle.interpreter.partials import PARTIAL
from lintpickle.interpreter.parts import EACH, after_all, is_item_step, part_of
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.limits import STORING_CALLS
from lintpickle.program.module import Module
from lintpickle.resolution.module_containers import is_put_into, names_for

SETTINGS = frozenset({"Namespace", "SimpleNamespace", "EasyDict"})
"""Kinds of containers whose items are attributes."""


class Stores:
    """Finds what the code around a call, or in a function that is called, stores on an object, for one evaluator."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._known: dict[int, tuple[FunctionFacts, dict[int | str, list[Event]]]] = {}
        self._by_variables: dict[int, tuple[FunctionFacts, dict[str, list[Event]]]] = {}
        self._on_calls: dict[tuple[int, int], tuple[Call, Frame, tuple[Stored, ...]]] = {}
        self._on_parameters: dict[tuple[int, str], tuple[Frame, tuple[Stored, ...]]] = {}

    def on(self, call: Call, frame: Frame) -> tuple[Stored, ...]:
        """Every store, in file order. At module level, those on a name that this call has bound last."""
        key = (id(call), id(frame))
        if key not in self._on_calls:
            self._on_calls[key] = (call, frame, ())  # for the objects that this one is given to, and that it is given
            found = tuple(self._of(frame, id(call), lambda value: may_be(value, call), 0))
            named = self._on_variables(call, frame.module) if frame.function.is_module_body else ()
            self._on_calls[key] = (call, frame, (*named, *found))
        return self._on_calls[key][2]

    def on_parameter(self, name: str, frame: Frame, level: int = 0) -> tuple[Stored, ...]:
        """Every store of a function on what one of its parameters is bound to, in file order."""
        key = (id(frame), name)
        if key not in self._on_parameters:
            self._on_parameters[key] = (frame, ())
            found = self._of(frame, name, lambda value: isinstance(value, Parameter) and value.name == name, level)
            self._on_parameters[key] = (frame, tuple(found))
        return self._on_parameters[key][1]

    def forget(self) -> None:
        """Let go of what was found in frames."""
        self._on_calls.clear()
        self._on_parameters.clear()

    def before(self, value: Expr, frame: Frame, place: int) -> tuple[Stored, ...]:
        """The stores on what an expression of a function gives that have surely been made last when the function gets
        to a place."""
        found: list[Stored] = []
        for event in frame.function.events:
            if event.span.start >= place:
                continue
            match event:
                case Store(target=target, attribute=name) if name != UNNAMED and reads_the_same(target, value):
                    if frame.paths.precedes(event.span.start, place):
                        found.append(Stored(event, frame, False))
                case Called(call=call) if found and any(reads_the_same(each, value) for each in _handed(call)):
                    found.clear()  # Whatever is called may store something else.
                case _:
                    pass
        return tuple(found)

    def _of(self, frame: Frame, key: int | str, is_it: Is, level: int) -> Iterator[Stored]:
        for event in self._in(frame.function).get(key, ()):
            yield from self._by_event(event, frame, is_it, level)

    def _by_event(self, event: Event, frame: Frame, is_it: Is, level: int) -> Iterator[Stored]:
        """What an event of a function stores on an object, on a part of it, or on the items of a container, one of
        which it is."""
        match event:
            case Store() | ItemStore():
                owner = stored_on(event)
                if owner is not None:
                    replaces = isinstance(event, Store) and self._evaluator.conditions.replaces(event, frame)
                    may_stay = not replaces and (self._may_pass_by(event, owner, frame) or _is_put_back(event, frame))
                    stored = Stored(event, frame, event.conditional and may_stay)
                    yield from _as_part(stored, owner, is_it, event, frame)
            case Called(call=call) if any(_leads_to(each.value, is_it) for each in call.arguments):
                yield from self._by_callee(event, frame, is_it, level)
            case _:
                pass

    def _may_pass_by(self, event: Event, owner: Expr, frame: Frame) -> bool:
        """Whether an event may not be done to what an expression gives. A loop over a container leaves out no item."""
        if not event.conditional:
            return False
        return EACH not in part_of(owner)[1] or not self._evaluator.conditions.reaches(event.span, frame)

    def _by_callee(self, event: Called, frame: Frame, is_it: Is, level: int) -> Iterator[Stored]:
        """What a function or a constructor that is given the object, a part of it, or a container with it stores on
        it."""
        for callee in callees(event.call, frame, self._evaluator):
            if level >= STORING_CALLS.most:
                self._evaluator.cuts.note(STORING_CALLS)
                return
            inner = self._evaluator.enter(callee, event.call, frame) if self._in(callee.facts) else None
            for name, bound in inner.bindings.items() if inner is not None else ():
                given = bound.expr if bound.frame is frame else None
                if inner is None or given is None or not _leads_to(given, is_it):
                    continue
                may_pass_by = self._may_pass_by(event, given, frame)
                for stored in self.on_parameter(name, inner, level + 1):
                    stored = structs.replace(stored, conditional=stored.conditional or may_pass_by)
                    yield from _as_part(stored, given, is_it, event, frame)

    def name_of(self, event: Store, frame: Frame) -> str:
        """The name of the attribute that is stored, `UNNAMED` if it is not known."""
        if event.key is None or event.attribute != UNNAMED:
            return event.attribute
        names = {
            traced.value.value if isinstance(traced.value, ConstantValue) else None
            for traced in self._evaluator.evaluate(event.key, frame)
        }
        only = names.pop() if len(names) == 1 else None
        return only if isinstance(only, str) else UNNAMED

    def _in(self, function: FunctionFacts) -> dict[int | str, list[Event]]:
        """The stores of a function, and the calls that may store, by what they are on or are given: the identity of a
        call, or the name of a parameter."""
        if id(function) not in self._known:
            found: dict[int | str, list[Event]] = {}
            for event in function.events:
                for key in dict.fromkeys(key for value in _concerned(event) for key in _keys_of(value)):
                    found.setdefault(key, []).append(event)
            self._known[id(function)] = (function, found)
        return self._known[id(function)][1]

    def _on_variables(self, call: Call, module: Module) -> Iterator[Stored]:
        seen = set[int]()
        for name in names_for(call.span, module):
            for block in module.blocks_touching(name):
                frame = self._evaluator.module_frame(module, block.body)
                for event in self._naming(block.body, module).get(name, ()):
                    is_other = not isinstance(event, Called) or event.call is not call
                    if event.span.start > call.span.start and is_other and id(event) not in seen:
                        seen.add(id(event))
                        yield from self._by_event(event, frame, partial(_may_name, call, event, module), 0)

    def _naming(self, body: FunctionFacts, module: Module) -> dict[str, list[Event]]:
        """The stores of a module body, and the calls that may store, by the variables that they are on or are given. It
        ends with the main guard's call of a function: what is stored later may be stored when all is done."""
        if id(body) not in self._by_variables:
            found: dict[str, list[Event]] = {}
            for event in body.events:
                concerned = map(without_narrowing, _concerned(event))
                for name in dict.fromkeys(each.name for each in concerned if isinstance(each, Name)):
                    found.setdefault(name, []).append(event)
                if isinstance(event, Called) and event.main_guard and _runs_own(event.call, module):
                    break
            self._by_variables[id(body)] = (body, found)
        return self._by_variables[id(body)][1]


def _is_put_back(event: Store | ItemStore, frame: Frame) -> bool:
    """Whether the function also gives an attribute what it held before: `lock, job.lock = job.lock, None`, then
    `job.lock = lock`."""
    return isinstance(event, Store) and any(
        isinstance(other, Store)
        and isinstance(value := without_narrowing(other.value), Attribute)
        and value.name == other.attribute == event.attribute
        and reads_the_same(value.base, other.target)
        and reads_the_same(other.target, event.target)
        for other in frame.function.events
    )


def _as_part(stored: Stored, owner: Expr, is_it: Is, event: Event, frame: Frame) -> Iterator[Stored]:
    """What is stored on what an expression of a function gives, or on a part of that, as seen from an object."""
    root, path = part_of(owner)
    path = (*path, *stored.path)
    if is_it(root):
        yield structs.replace(stored, path=path)
        return
    done = Done(stored.event, stored.frame, path, doubts=stored.doubts)
    for within in done_to_item(done, root, is_it, event, frame):
        yield structs.replace(stored, path=within.path, doubts=within.doubts)


def _leads_to(value: Expr, is_it: Is) -> bool:
    """Whether an expression gives an object, a part of it, or a container, or an item of one, that may hold it."""
    root = part_of(value)[0]
    return is_it(root) or isinstance(root, Name) or any(map(is_it, contents(root)))


def _may_name(call: Call, event: Event, module: Module, value: Expr) -> bool:
    """Whether a value of a module's level is what a call has given, when an event happens."""
    value = without_narrowing(value)
    return may_be(value, call) or (isinstance(value, Name) and is_put_into(value, value.name, call, event, module))


def _runs_own(call: Call, module: Module) -> bool:
    """Whether a call that is given nothing runs a function of the module, as `main()`."""
    match call.function:
        case Name(name=name) if not call.arguments:
            return any(block.defines_function for block in module.outline.binding(name))
        case _:
            return False


def _concerned(event: Event) -> Iterator[Expr]:
    """What an event may store something on."""
    match event:
        case Store() | ItemStore():
            owner = stored_on(event)
            root, path = part_of(owner) if owner is not None else (None, ())
            if root is not None:
                yield root
                yield from contents(root) if path and is_item_step(path[0]) else ()
        case Called(call=call):
            for argument in call.arguments:
                root, _ = part_of(argument.value)
                yield root
                yield from contents(root)
        case _:
            pass


def _handed(call: Call) -> Iterator[Expr]:
    """What a call may change: what its method belongs to, and what it is given."""
    if isinstance(call.function, Attribute):
        yield call.function.base
    yield from (argument.value for argument in call.arguments)


def _keys_of(value: Expr) -> Iterator[int | str]:
    for option in before_puts(value):
        match option:
            case Call() as call:
                yield id(call)
            case Parameter(name=name):
                yield name
            case _:
                pass


def stored_on(event: Store | ItemStore) -> Expr | None:
    """The object that has the attribute which a store sets, or into whose value it puts something."""
    if isinstance(event, Store):
        return event.target
    filled = attribute_filled(event.target)
    return filled.base if filled is not None else None


def attribute_filled(target: Expr) -> Attribute | None:
    """The attribute into whose value, or into a part of that, something is put."""
    while isinstance(target, Item):
        target = target.base
    return target if isinstance(target, Attribute) else None


def may_hold(value: AbstractValue, call: Call | None = None) -> bool:
    """Whether it matters what is stored on an object (see `holding`)."""
    match value:
        case InstanceValue(call=made):
            return made is not call
        case ContainerValue(call=Call(), kind=kind):
            return kind in SETTINGS or (call is not None and kind != PARTIAL)
        case ContainerValue(slots=slots):
            return call is not None and bool(slots)
        case _:
            return False


def changed(traced: TracedValue, call: Call, owner: Expr, frame: Frame) -> TracedValue:
    """An object that is a copy of another one with what the keyword arguments of a call give as attributes."""
    if not isinstance(traced.value, InstanceValue):
        return traced
    stored = tuple(
        Stored(Store(call.span, False, (), owner, argument.keyword, argument.value), frame, False)
        for argument in call.arguments
        if argument.keyword is not None
    )
    return structs.replace(traced, value=_with_later(traced.value, stored))


def _with_later(made: InstanceValue, stored: tuple[Stored, ...]) -> InstanceValue:
    """An object after what was stored on it, each store of each call once: what it is read through may come back to
    it."""
    known = set(map(_store_of_call, made.later))
    new = tuple(each for each in stored if _store_of_call(each) not in known)
    return structs.replace(made, later=(*made.later, *new)) if new else made


def _store_of_call(stored: Stored) -> tuple[int, int, tuple[str, ...]]:
    by = stored.frame.called_by
    return id(stored.event), id(by[1]) if by is not None else id(stored.frame.function), stored.path


def holding(traced: TracedValue, stored: tuple[Stored, ...], call: Call | None = None) -> TracedValue:
    """An object that this call gave, or (without a call) that a caller handed over, with what was stored on it then: if
    it is of a class that is read, or of a library's that keep what they are given. Of these a caller may hand over too
    many kinds: only settings count."""
    match traced.value if stored else None:
        case InstanceValue() as made if made.call is not call:
            return structs.replace(traced, value=_with_later(made, stored))
        case ContainerValue() if call is not None and any(each.path and is_item_step(each.path[0]) for each in stored):
            on_items = [each for each in stored if each.path and is_item_step(each.path[0])]
            others = tuple(each for each in stored if each not in on_items)
            return after_all(holding(traced, others, call), tuple(each.done for each in on_items))
        case ContainerValue(call=Call(), kind=kind) as made if kind in SETTINGS or (call and kind != PARTIAL):
            slots = made.slots
            for each in stored:
                if not isinstance(each.event, Store) or each.path:
                    continue
                put = Slot(SlotKey(attribute=each.event.attribute), each.event.value, each.frame)
                replaced = put.key if not each.conditional else None
                is_first = each.conditional and all(slot.key != put.key for slot in slots)
                before = (Slot(put.key, Expr(put.value.span), each.frame),) if is_first else ()
                slots = (*(slot for slot in slots if slot.key != replaced), *before, put)
            return structs.replace(traced, value=structs.replace(made, slots=slots))
        case _:
            return traced
