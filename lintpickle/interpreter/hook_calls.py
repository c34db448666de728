"""What Python's own functions, and the methods of dicts, give in a pickling hook."""

from __future__ import annotations

import ast

from msgspec import Struct

from lintpickle.interpreter import hook_values as values
from lintpickle.interpreter.hook_values import NONE, NOT_KNOWN, HookValue, Known, Parts, State, iterated

_COPIES = frozenset({"dict", "copy", "deepcopy", "OrderedDict"})
_SEQUENCES = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "iter"})
_ONLY_LOOK = frozenset({"print", "len", "type", "id", "repr", "str", "bool", "warn"}) | frozenset(
    {"debug", "info", "warning", "error", "log"}
)


class HookArguments(Struct, frozen=True, eq=False):
    """The arguments of a call; `spread` are what stands behind `**`."""

    positional: tuple[HookValue, ...] = ()
    keywords: tuple[tuple[str, HookValue], ...] = ()
    spread: tuple[HookValue, ...] = ()


def function(called: str, given: HookArguments, name: str) -> HookValue:
    """What calling a function gives that is known by its last name, if it is known."""
    first = given.positional[0] if given.positional else None
    if called in _COPIES and (first is None or isinstance(first, (State, Parts))):
        made = State()
        merge_all(made, given, name)
        return made
    if called in _SEQUENCES:
        return iterated(first, name) if first is not None else Parts(())
    if called == "fromkeys" and first is not None:
        return _from_keys(first, given.positional[1] if len(given.positional) == 2 else NONE, name)
    if called == "callable" and isinstance(first, Known):
        return Known(False)
    if called not in _ONLY_LOOK:
        for each in given.positional:
            if isinstance(each, State):  # whoever gets it may take anything out
                each.entry, each.others = NOT_KNOWN, []
    return NOT_KNOWN


def state_method(state: State, method: str, given: HookArguments, name: str) -> HookValue:
    """What a method of a dict does and gives."""
    held = (state.entry,) if state.entry is not None else ()
    match method, given.positional:
        case "copy", _:
            return state.copy()
        case "items", _:
            return Parts(tuple(Parts((values.key_of(name), each)) for each in held))
        case "keys", _:
            return iterated(state, name)
        case "values", _:
            return Parts(held)
        case (("pop" | "__delitem__"), (key, *_)):
            popped = item(state, key, name)
            values.put(state, key, None, name)
            return popped
        case (("get" | "__getitem__"), (key, *_)):
            return item(state, key, name)
        case "__setitem__", (key, value):
            values.put(state, key, value, name)
        case "setdefault", (key, *default) if values.is_in(key, state, name) is not True:
            values.put(state, key, default[0] if default else NONE, name)
        case "update", _:
            merge_all(state, given, name)
        case "clear", _:
            state.entry, state.others = None, []
        case _:
            pass
    return NONE


def merge_all(state: State, given: HookArguments, name: str) -> None:
    """Put into a dict what a call of `dict` or `update` gives it."""
    for added in (*given.positional[:1], *given.spread):
        values.update_state(state, added, name)
    for keyword, value in given.keywords:
        values.put(state, Known(keyword), value, name)


def item(holder: HookValue, key: HookValue, name: str) -> HookValue:
    """What `holder[key]` is."""
    match holder, key:
        case State(entry=entry), _ if key == values.key_of(name):
            return entry or NOT_KNOWN
        case Parts(elements=elements, rest=False), Known(value=int() as index) if -1 <= index < len(elements) > 0:
            return elements[index]
        case _:
            return NOT_KNOWN


def _from_keys(keys: HookValue, value: HookValue, name: str) -> State:
    made = State()
    for key in iterated(keys, name).elements:
        values.put(made, key, value, name)
    return made


def hook_bindings(parameters: ast.arguments, given: HookArguments) -> dict[str, HookValue]:
    """What a function's parameters are in a call."""
    named = [each.arg for each in (*parameters.posonlyargs, *parameters.args)]
    found: dict[str, HookValue] = dict.fromkeys((*named, *(each.arg for each in parameters.kwonlyargs)), NOT_KNOWN)
    for parameter, default in zip(reversed(named), reversed(parameters.defaults), strict=False):
        if isinstance(default, ast.Constant):
            found[parameter] = Known(default.value)
    found.update(zip(named, given.positional, strict=False))
    found.update((name, value) for name, value in given.keywords if name in found)
    if parameters.vararg is not None:
        found[parameters.vararg.arg] = Parts(given.positional[len(named) :])
    if parameters.kwarg is not None:
        found[parameters.kwarg.arg] = State(NOT_KNOWN)
    return found
