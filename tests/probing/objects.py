"""Objects that cross, and objects that do not, for asking the probe about them. Nothing here needs torch."""

from __future__ import annotations

import collections
import contextvars
import functools
import itertools
import re
import socket
import sqlite3
import sys
import threading
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any


class Box:
    """Keeps what it is given as attributes."""

    def __init__(self, **held: Any) -> None:
        self.__dict__.update(held)

    def method(self) -> None: ...


class Slotted:
    __slots__ = ("__weakref__", "first", "second")

    def __init__(self, first: object, second: object) -> None:
        self.first, self.second = first, second


class SlottedBelow(Slotted):
    def __init__(self, first: object, second: object, third: object) -> None:
        super().__init__(first, second)
        self.third = third


class Listing(list[Any]):
    pass


class Mapped(dict[Any, Any]):
    pass


Pair = collections.namedtuple("Pair", "left right")


class Counted:
    """Says how it pickles, and counts how often it is asked."""

    def __init__(self, held: object) -> None:
        self.held = held
        self.asked = 0

    def __getstate__(self) -> dict[str, object]:
        self.asked += 1
        return {"held": self.held}


class Reduced:
    def __init__(self, said: object) -> None:
        self.said = said

    def __reduce__(self) -> Any:
        if isinstance(self.said, BaseException):
            raise self.said
        return self.said


def generator() -> Iterator[int]:
    yield 1


def local_class() -> Any:
    class Local:
        pass

    return Local()


def local_function() -> Callable[[], None]:
    def inner() -> None: ...

    return inner


def _misnamed() -> Any:
    make: Any = collections.namedtuple
    return make("Elsewhere", "x")(1)


def _opened() -> Any:
    return open(__file__, encoding="utf-8")


def _wrapped() -> Any:
    @functools.wraps(len)
    def inner() -> None: ...

    return inner


HAZARDS: dict[str, Callable[[], Any]] = {
    "dict view": lambda: {"a": 1}.keys(),
    "dict values": lambda: {"a": 1}.values(),
    "lambda": lambda: lambda: None,
    "local function": local_function,
    "local class": local_class,
    "open file": _opened,
    "database": lambda: sqlite3.connect(":memory:"),
    "socket": lambda: socket.socketpair()[0].makefile("rb"),
    "lock": threading.Lock,
    "recursive lock": threading.RLock,
    "event": threading.Event,
    "thread": threading.Thread,
    "generator": generator,
    "module": lambda: sys,
    "weak reference": lambda: weakref.ref(Box),
    "match": lambda: re.match("a", "a"),
    "context variable": lambda: contextvars.ContextVar("v"),
    "misnamed namedtuple": _misnamed,
    "misnamed function": _wrapped,
    "mapping proxy": lambda: types.MappingProxyType({}),
    "frame": sys._getframe,
    "code": lambda: generator.__code__,
    "ends the program": lambda: Reduced(SystemExit(3)),
    "raises": lambda: Reduced(ValueError("no")),
    "says nothing": lambda: Reduced(None),
    "says too little": lambda: Reduced((1,)),
}

FINE: dict[str, Callable[[], Any]] = {
    "plain data": lambda: {"a": [1, 2.5, "x", b"y", None, {3, 4}, frozenset({5}), (6, 7j)]},
    "instance": lambda: Box(a=1),
    "function": lambda: generator,
    "class": lambda: Box,
    "method": lambda: Box(a=1).method,
    "partial": lambda: functools.partial(generator),
    "ordered": lambda: collections.OrderedDict(a=1),
    "default": lambda: collections.defaultdict(list, a=[1]),
    "deque": lambda: collections.deque([1]),
    "namedtuple": lambda: Pair(1, 2),
    "slots": lambda: SlottedBelow(1, 2, 3),
    "own containers": lambda: [Listing([1]), Mapped(a=1)],
    "exception": lambda: ValueError("x"),
    "pattern": lambda: re.compile("a"),
    "builtin": lambda: len,
    "method of a builtin": lambda: "x".join,
    "counter": lambda: collections.Counter("abc"),
    "range": lambda: range(3),
}


def cyclic() -> Box:
    box = Box()
    vars(box).update(children=[Box(parent=box, lock=threading.Lock())], itself=box, pair=(box, [box]))
    return box


def endless() -> Reduced:
    """Two objects that are each made from the other: pickle runs in a circle."""
    first, second = Reduced(None), Reduced(None)
    first.said, second.said = (Reduced, (second,)), (Reduced, (first,))
    return first


def deep(levels: int) -> list[Any]:
    made: list[Any] = []
    for _ in itertools.repeat(None, levels):
        made = [made]
    return made
