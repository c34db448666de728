"""Functions of the program that store an attribute which they are told by name: `swapped(net, "download", replay)`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.main_state.taken_back import starts_workers_within
from lintpickle.call_graph.entered_contexts import is_never_entered
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Call, Constant, Expr, parameter_name
from lintpickle.interpreter.abstract_values import FunctionValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker


class StoredByCall(Struct, frozen=True):
    """What a call stores an attribute on, and under which name."""

    target: Expr
    attribute: str


def stored_by_call(call: Call, root: RootFrame, name: str | None, linker: Linker) -> Iterator[StoredByCall]:
    """The attributes that a function stores on what a call gives it, by a name that the call writes out; where `name`
    is given, by that one. What a context manager takes back before any worker starts is left out."""
    texts = [each.value for each in call.arguments if isinstance(each.value, Constant)]
    if not any(isinstance(each.value, str) and name in (None, each.value) for each in texts):
        return
    for traced in linker.evaluate(call.function, root.frame):
        function = traced.value
        if not isinstance(function, FunctionValue):
            continue
        for owner, key in _told(function.facts):
            target, told = (_given(each, function, call) for each in (owner, key))
            if target is None or not isinstance(told, Constant) or not isinstance(told.value, str):
                continue
            if name in (None, told.value) and _is_in_force(function.facts, owner, key, call, root, linker):
                yield StoredByCall(target, told.value)


def _told(function: FunctionFacts) -> Iterator[tuple[str, str]]:
    """The parameters of a function on which it stores an attribute, each with the one that names that, in order."""
    for event in function.events:
        if isinstance(event, Store) and event.key is not None:
            owner, key = parameter_name(event.target), parameter_name(event.key)
            if owner is not None and key is not None:
                yield owner, key


def _given(parameter: str, function: FunctionValue, call: Call) -> Expr | None:
    by_name = call.keyword(parameter)
    if by_name is not None:
        return by_name
    named = [each.name for each in function.facts.parameters if each.kind.startswith("positional")]
    place = named.index(parameter) - (function.bound is not None) if parameter in named else -1
    given = call.positional() or ()
    return given[place] if 0 <= place < len(given) else None


def _is_in_force(function: FunctionFacts, owner: str, key: str, call: Call, root: RootFrame, linker: Linker) -> bool:
    """Whether what a call stores may be so when workers start."""
    if is_never_entered(call, function, root):
        return False
    is_put_back = function.is_generator and [*_told(function)].count((owner, key)) > 1
    return not is_put_back or starts_workers_within(call.span, root.function, root.frame.module, linker)
