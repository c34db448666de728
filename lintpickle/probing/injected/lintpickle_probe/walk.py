"""Finding everything in an object that does not pickle, by going the way that pickle goes.

It differs from pickle (Lib/pickle.py, `_Pickler.save`) in two things: it goes on where pickle raises, and it needs no
stack for objects that nest deeply. Closures of functions are not entered, because pickle stores names of functions.
"""

from __future__ import annotations

import pickle
from typing import Any, Iterable, Iterator, NamedTuple

from .attempts import attempt
from .children import Child, of_arguments, of_container, of_rest
from .limits import Clock, Enough
from .reductions import BY_NAME, KEPT, Reductions

_ATOMS = frozenset(
    {type(None), bool, int, float, complex, str, bytes, bytearray, type(Ellipsis), type(NotImplemented), range}
)
_CONTAINERS = frozenset({dict, list, tuple, set, frozenset})
MANY = 1000
"""From so many elements on, a container is pickled first, and gone through only if that fails."""
MOST_NAMED = 20
"""Up to so many items of a dictionary, each that does not pickle is named; more, or elements of a list, are told with
how many there are of a kind."""
_FILLED = ("_modules", "_parameters", "_buffers")
"""Attributes of a torch module whose items are attributes of the module."""


class Node:
    """An object on the way from the root: `step` leads to it from `parent`."""

    __slots__ = ("attribute", "level", "obj", "parent", "remembered", "step")

    def __init__(self, obj: Any, parent: Node | None, step: str, attribute: str | None = None) -> None:
        self.obj = obj
        self.parent = parent
        self.step = step
        self.attribute = attribute
        self.level: int = 0 if parent is None else parent.level + 1
        self.remembered = True

    def way(self) -> list[Node]:
        """The nodes from the root to this one."""
        found: list[Node] = []
        node: Node | None = self
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    @property
    def path(self) -> str:
        """How one gets at it, beginning with the name of the root."""
        way = self.way()
        return "".join(_step(way, place) for place in range(len(way)))

    def owner(self) -> Node | None:
        """The closest step to it that is an attribute; its parent is the object that has the attribute."""
        node: Node | None = self
        while node is not None and node.attribute is None:
            node = node.parent
        return node


def _step(way: list[Node], place: int) -> str:
    node = way[place]
    held = way[place - 1] if place else None
    if held is not None and held.attribute in _FILLED and node.step.startswith("['"):
        return "." + node.step[2:-2]
    is_folded = node.attribute in _FILLED and place + 1 < len(way) and way[place + 1].step.startswith("['")
    return "" if is_folded else node.step


class Culprit:
    """An object that does not pickle, and what pickle says of it. `nodes` are some of the places at which it (or, in
    the same container, one of its kind) was met, `count` is how many there are."""

    def __init__(self, node: Node, error: BaseException) -> None:
        self.nodes = [node]
        self.error = error
        self.count = 1


class Found(NamedTuple):
    """What a walk found. `depth` is how deeply the objects nest; `more` counts culprits that are not named."""

    culprits: list[Culprit]
    more: int
    deepest: Node | None


class Walk:
    """One walk over one or several objects that are pickled together."""

    def __init__(self, reductions: Reductions, clock: Clock) -> None:
        self._reductions = reductions
        self._clock = clock
        self._seen: dict[int, Any] = {}
        self._bad: dict[int, Culprit] = {}
        self._names: dict[int, tuple[Any, BaseException | None]] = {}
        self._alike: dict[tuple[int, str, type, str], Culprit] = {}
        self._open: dict[int, Node] = {}
        self._culprits: list[Culprit] = []
        self._more = 0
        self._deepest: Node | None = None

    def over(self, parts: Iterable[tuple[str, Any]]) -> Found:
        """Walk over named objects; as far as the clock allows."""
        try:
            for name, obj in parts:
                self._walk(Node(obj, None, name))
        except Enough:
            pass
        return Found(self._culprits, self._more, self._deepest)

    def _walk(self, root: Node) -> None:
        waiting: list[tuple[Node, Iterator[Child]]] = []
        node: Node | None = root
        while node is not None or waiting:
            if node is not None:
                children = self._visit(node, waiting)
                if children is not None:
                    self._open[id(node.obj)] = node
                    waiting.append((node, children))
            parent, rest = waiting[-1] if waiting else (None, iter(()))
            node = None
            for child in rest:
                if type(child.value) not in _ATOMS:
                    node = Node(child.value, parent, child.step, child.attribute)
                    break
                self._clock.count()
            if node is None and waiting:
                self._open.pop(id(waiting.pop()[0].obj), None)

    def _visit(self, node: Node, waiting: list[tuple[Node, Iterator[Child]]]) -> Iterator[Child] | None:
        """What is to be looked at inside of an object; None if there is nothing, or it is a culprit itself."""
        self._clock.count()
        obj, key = node.obj, id(node.obj)
        if type(obj) in _ATOMS:
            return None
        if key in self._seen:
            self._again(node, waiting)
            return None
        self._seen[key] = obj
        if self._deepest is None or node.level > self._deepest.level:
            self._deepest = node
        if type(obj) in _CONTAINERS:
            return self._inside(node)
        try:
            said = self._reductions.of(obj)
        except (KeyboardInterrupt, Enough):
            raise
        except BaseException as error:
            self._blame(node, error)
            return None
        if said is KEPT:
            return None
        try:
            refused = self._refused(obj, said)
        except Exception as error:  # what it says of itself may run code of the program, too
            refused = error.with_traceback(None)
        if refused is not None:
            self._blame(node, refused)
            return None
        if said is BY_NAME or type(said) is str:
            return None
        return _asked(node, said)

    def _inside(self, node: Node) -> Iterator[Child] | None:
        if len(node.obj) >= MANY:
            tried = attempt(node.obj, self._reductions, self._clock)
            if tried.stopped is not None:
                raise Enough(tried.stopped)
            if tried.error is None:
                return None
        node.remembered = type(node.obj) in (dict, list, set)
        return of_container(node.obj)

    def _again(self, node: Node, waiting: list[tuple[Node, Iterator[Child]]]) -> None:
        """An object is met for another time: if it is a culprit, that is another place of it; if it is being asked
        what makes it, and nothing on the way has been remembered, pickle runs in a circle."""
        known = self._bad.get(id(node.obj))
        if known is not None:
            self._add(known, node)
            return
        start = self._open.get(id(node.obj))
        if start is None:
            return
        nodes = [each for each, _ in waiting]
        around = nodes[nodes.index(start) :]
        if not any(each.remembered for each in around) and any(type(each.obj) not in _CONTAINERS for each in around):
            self._blame(start, RecursionError("maximum recursion depth exceeded while pickling an object"))

    def _refused(self, obj: Any, said: Any) -> BaseException | None:
        """Why pickle refuses what an object says; None if it takes it."""
        if said is BY_NAME:
            return self._by_name(obj)
        if type(said) is str:
            return attempt(obj, self._reductions, self._clock).error
        wrong = _malformed(obj, said)
        if wrong is not None:
            return pickle.PicklingError(wrong)
        thing = type(obj)
        for part in (said[0], *(each for each in said[1][:1] if each is thing)):
            refused = self._by_name(part)
            if refused is not None:
                return refused
        return None

    def _by_name(self, obj: Any) -> BaseException | None:
        """What pickling a function or class raises that stands for itself; asked once for each."""
        known = self._names.get(id(obj))
        if known is None:
            tried = attempt(obj, self._reductions, self._clock)
            known = self._names[id(obj)] = (obj, tried.error)
        return known[1]

    def _blame(self, node: Node, error: BaseException) -> None:
        culprit = self._bad[id(node.obj)] = Culprit(node, error)
        if node.parent is not None and node.attribute is None and _is_one_of_many(node.parent.obj):
            alike = (id(node.parent.obj), node.step[:1], type(node.obj), type(error).__name__)
            known = self._alike.setdefault(alike, culprit)
            if known is not culprit:
                self._bad[id(node.obj)] = known
                self._add(known, node)
                return
        if len(self._culprits) < self._clock.limits.culprits:
            self._culprits.append(culprit)
        else:
            self._more += 1

    def _add(self, culprit: Culprit, node: Node) -> None:
        culprit.count += 1
        if len(culprit.nodes) < self._clock.limits.places:
            culprit.nodes.append(node)


def _asked(node: Node, said: tuple[Any, ...]) -> Iterator[Child]:
    """What is in a reduction. Pickle remembers the object when it has been made from the arguments."""
    node.remembered = False
    yield from of_arguments(node.obj, said)
    node.remembered = True
    yield from of_rest(node.obj, said)


def _is_one_of_many(container: Any) -> bool:
    """Whether it does not matter which one of the items of a container is named."""
    return not issubclass(type(container), dict) or len(container) > MOST_NAMED


def _malformed(obj: Any, said: Any) -> str | None:
    """What is wrong with a reduction (as `save_reduce` of Modules/_pickle.c checks it)."""
    if not isinstance(said, tuple):
        return "__reduce__ must return a string or tuple"
    if not 2 <= len(said) <= 6:
        return "tuple returned by __reduce__ must contain 2 through 6 elements"
    if not callable(said[0]):
        return "first item of the tuple returned by __reduce__ must be callable"
    if not isinstance(said[1], tuple):
        return "second item of the tuple returned by __reduce__ must be a tuple"
    if getattr(said[0], "__name__", "") == "__newobj__":
        if not said[1] or not hasattr(said[1][0], "__new__"):
            return "args[0] from __newobj__ args has no __new__"
        if said[1][0] is not obj.__class__:
            return "args[0] from __newobj__ args has the wrong class"
    return None
