"""Objects of libraries that a class keeps in its body, whose state only forked processes inherit: counters and other
iterators, context variables, queues. The main process changes them, or draws from them, often as it makes objects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from lintpickle.analyses.main_state.calls_before_workers import calls_before_workers
from lintpickle.analyses.main_state.failing_contexts import failing_in_context
from lintpickle.analyses.main_state.library_state import state_of
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.main_state.read_objects import (
    OF_THE_CONTEXT,
    THREAD_LOCAL,
    Reading,
    class_objects_read,
    path_of,
)
from lintpickle.analyses.random_numbers.class_counters import iterator_of_class, keeper_named
from lintpickle.catalog import StateSpec
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, ItemStore, Store
from lintpickle.facts.values import Argument, Attribute, Call, Expr, Name, ending_name
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, GeneratorValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_NEXT = "next"
_SET = "set"


class _Kept(Struct, frozen=True):
    """An object that a class, of the module at a path, has under a name, and what the catalog says of its state. Of
    context variables, which `set` changes, that says nothing."""

    value: AbstractValue
    path: str
    class_name: str
    name: str
    state: StateSpec | None

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from others."""
        return self.path, self.class_name, self.name

    @property
    def is_shared(self) -> bool:
        """Whether workers change it as they use it."""
        return self.state is not None and self.state.shared


def states_of_classes(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """Such objects that functions of workers use, each once, with how the main process changes them before it starts
    these."""
    yield from linker.remembered(("states of classes", code), lambda: tuple(_states_of_classes(code, linker)))


def _states_of_classes(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    asker, told = code.root.site.module.path, set[object]()
    for function in code.functions:
        if not function.module.first_party or function.module.document.cells is not None:
            continue
        for kept, reading in chain(_read(function, linker), _drawn_from(function, linker)):
            if kept.key in told:
                continue
            setters = list(_setters(kept, code, linker, asker))
            setting = set_by(of_the_program(setters, code, linker), _met(kept), linker, asker)
            if setting is not None:
                told.add(kept.key)
                yield function, reading, failing_in_context(setting, kept.value, reading.written, function, linker)


def _read(function: WorkerFunction, linker: Linker) -> Iterator[tuple[_Kept, Reading]]:
    for owner, reading in class_objects_read(function, linker):
        state, class_ = state_of(owner.value, linker), owner.block.names[0]
        if state is not None or path_of(owner.value) in OF_THE_CONTEXT:
            yield _Kept(owner.value, owner.module.path, class_, owner.name, state), reading


def _drawn_from(function: WorkerFunction, linker: Linker) -> Iterator[tuple[_Kept, Reading]]:
    """The iterators from which a function draws, however it names the class: `next(type(self)._numbers)`."""
    module = function.module
    if linker.moving_to is None or _NEXT not in function.facts.reads:
        return
    for event in function.facts.events:
        match event:
            case Called(call=Call(function=Name(name=name), arguments=(Argument(value=Attribute() as place), *_))):
                written = module.code[place.span.start : place.span.end]
                owner = written.rpartition(".")[0]
                made = iterator_of_class(owner, place.name, function.frame, linker) if name == _NEXT else None
                state = state_of(made, linker) if made is not None else None
                if made is not None and state is not None:
                    keeper = keeper_named(owner, function.facts)
                    kept = _Kept(made, module.path, keeper, place.name, state)
                    yield kept, Reading(written, place.span, False)
            case _:
                pass


def _setters(kept: _Kept, code: WorkerCode, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where code changes the object; what workers change as they use it, where the main process calls that."""
    running = {id(each.facts) for each in code.functions}
    form = re.compile(rf"\.\s*{re.escape(kept.name)}\b")
    for root in linker.activations_with({kept.name}, form, asker):
        is_of_workers = kept.is_shared and id(root.function) in running
        changes = _changes(kept, root, linker)
        if not is_of_workers:
            yield from (setter_at(root.frame.module, root.function, span, linker, asker) for span in changes)
        elif next(changes, None) is not None:
            yield from calls_before_workers(root.function, code, linker, asker)


def _changes(kept: _Kept, root: RootFrame, linker: Linker) -> Iterator[Span]:
    """Where a function changes the object, by a method of it, a built-in function, or as it stores
    something there, or gives the class another one."""
    functions, methods = (kept.state.functions, kept.state.methods) if kept.state is not None else ((), (_SET,))
    any_store = path_of(kept.value) == THREAD_LOCAL or (kept.state is not None and kept.state.stores)
    for event in root.function.events:
        match event:
            case Store(target=target, attribute=attribute) if attribute == kept.name:
                if _is_class(target, kept, root, linker):
                    yield event.span
                changed: Expr | None = None
            case Store(target=target) | ItemStore(target=target) if any_store:
                changed = target
            case Called(call=Call(function=Attribute(base=base, name=name))) if name in methods:
                changed = base
            case Called(call=Call(function=Name(name=name), arguments=(first, *_))) if name in functions:
                changed = first.value
            case _:
                changed = None
        if changed is not None and ending_name(changed) == kept.name and _is_it(changed, kept, root, linker):
            yield event.span


def _is_it(value: Expr, kept: _Kept, root: RootFrame, linker: Linker) -> bool:
    found = [traced.value for traced in linker.evaluate(value, root.frame)]
    owner = root.frame.module.code[value.span.start : value.span.end].rpartition(".")[0]
    named = iterator_of_class(owner, kept.name, root.frame, linker)
    found += [named] if named is not None else []
    return any(type(each) is type(kept.value) and _making(each) == _making(kept.value) for each in found)


def _is_class(target: Expr, kept: _Kept, root: RootFrame, linker: Linker) -> bool:
    values = [traced.value for traced in linker.evaluate(target, root.frame)]
    named = ((each.module.path, each.facts.qualname) for each in values if isinstance(each, ClassValue))
    return (kept.path, kept.class_name) in named


def _making(value: AbstractValue) -> object:
    """What made an object, in its module."""
    if isinstance(value, GeneratorValue):
        return value.element.span if value.element is not None else None
    call = getattr(value, "call", None)
    return call.span if isinstance(call, Call) else None


def _met(kept: _Kept) -> Met:
    if kept.state is not None:
        return Met(kept.state.outcome, "changed", kept.state.error)
    return Met("there it has no value of its own, or its default", _SET)
