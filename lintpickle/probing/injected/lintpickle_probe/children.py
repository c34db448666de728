"""What an object hands to pickle in its place, and by which steps one gets there from the object."""

from __future__ import annotations

import collections
import functools
import types
from typing import Any, Iterator, NamedTuple

from .names import key_text
from .reductions import own_dict

MOST_COMPARED = 1000
_PARTIAL_STATE = (".func", ".args", ".keywords", ".__dict__")


class Child(NamedTuple):
    """Something that is pickled with an object. `step` is how one gets at it (".names", "[0]", "['key']");
    `attribute` is set if it is an attribute of the object."""

    value: Any
    step: str
    attribute: str | None = None


def of_container(obj: Any) -> Iterator[Child]:
    """What is in a dict, list, tuple, set or frozenset."""
    thing = type(obj)
    if thing is dict:
        for key, value in list(obj.items()):
            if type(key) is not str:
                yield Child(key, f" (the key {key_text(key)})")
            yield Child(value, f"[{key_text(key)}]")
    elif thing is list or thing is tuple:
        for place, value in enumerate(obj):
            yield Child(value, f"[{place}]")
    else:
        for value in list(obj):
            yield Child(value, f" (the element {key_text(value)})")


def of_arguments(obj: Any, said: tuple[Any, ...]) -> Iterator[Child]:
    """What the function of a reduction is called with, but for the class of the object."""
    for place, value in enumerate(said[1]):
        if value is not type(obj) or place > 0:
            yield _argument(obj, place, value)


def of_rest(obj: Any, said: tuple[Any, ...]) -> Iterator[Child]:
    """What is pickled after the object has been made: items and state."""
    for place, value in enumerate(_part(said, 3) or ()):
        yield Child(value, f"[{place}]")
    for pair in _part(said, 4) or ():
        if type(pair) is tuple and len(pair) == 2:
            yield Child(pair[0], f" (the key {key_text(pair[0])})")
            yield Child(pair[1], f"[{key_text(pair[0])}]")
    yield from _of_state(obj, _part(said, 2))
    if _part(said, 5) is not None:
        yield Child(said[5], ".__reduce__()[5]")


def _part(said: tuple[Any, ...], place: int) -> Any:
    return said[place] if len(said) > place else None


def _argument(obj: Any, place: int, value: Any) -> Child:
    thing = type(obj)
    name: str | None = None
    if thing is types.MethodType and place == 0:
        name = "__self__"
    elif thing is types.CellType:
        return Child(value, ".cell_contents")
    elif issubclass(thing, functools.partial) and place < 3:
        name = ("func", "args", "keywords")[place]
    elif issubclass(thing, collections.defaultdict) and place == 0:
        name = "default_factory"
    elif issubclass(thing, BaseException):
        return Child(value, f".args[{place}]", "args")
    elif issubclass(thing, tuple):
        fields = getattr(thing, "_fields", ())
        at = place - 1  # of `copyreg.__newobj__`, the class comes first
        if not (isinstance(fields, tuple) and 0 <= at < len(fields)):
            return Child(value, f"[{at}]")
        name = str(fields[at])
    else:
        name = _attribute_that_is(obj, value)
    if name is not None:
        return Child(value, f".{name}", name)
    return Child(value, f".__reduce__()[1][{place}]")


def _attribute_that_is(obj: Any, value: Any) -> str | None:
    held = own_dict(obj) or {}
    if len(held) <= MOST_COMPARED:
        for name, each in list(held.items()):
            if each is value and type(name) is str:
                return name
    return None


def _of_state(obj: Any, state: Any) -> Iterator[Child]:
    if state is None:
        return
    thing = type(obj)
    if issubclass(thing, functools.partial) and type(state) is tuple:
        for name, value in zip(_PARTIAL_STATE, state):
            yield Child(value, name, name[1:])
    elif thing.__name__ == "ndarray" and type(state) is tuple and len(state) == 5 and type(state[4]) is list:
        for place, value in enumerate(state[4]):
            yield Child(value, f".flat[{place}]")
    elif type(state) is dict:
        yield from _attributes(state)
    elif type(state) is tuple and len(state) == 2 and all(part is None or type(part) is dict for part in state):
        for part in state:
            yield from _attributes(part or {})
    else:
        same = _attribute_that_is(obj, state)
        yield Child(state, ".__getstate__()" if same is None else f".{same}", same)


def _attributes(state: Any) -> Iterator[Child]:
    for name, value in list(state.items()):
        if type(name) is str:
            yield Child(value, f".{name}" if name.isidentifier() else f"[{name!r}]", name)
        else:
            yield Child(name, f" (the key {key_text(name)})")
            yield Child(value, f"[{key_text(name)}]")
