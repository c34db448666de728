"""The order in which attribute lookup goes through a class and its bases, over modules."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import islice

from lintpickle.facts.records import MODULE_BODY, ClassFacts, FunctionFacts
from lintpickle.facts.values import Expr, Item
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    Doubt,
    ExternalValue,
    Frame,
    InstanceValue,
    joined,
)
from lintpickle.interpreter.class_kinds import external_kind
from lintpickle.interpreter.protocols import Ancestor, Interpreter
from lintpickle.limits import BASES_IN_ORDER


class ClassOrder:
    """The bases of classes, and their method resolution orders, remembered per class."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._mros: dict[int, tuple[Ancestor, ...]] = {}
        self._doubted: dict[int, tuple[Doubt, ...]] = {}
        self._bodies: dict[int, Frame] = {}

    def mro(self, value: AbstractValue) -> tuple[Ancestor, ...]:
        """The method resolution order of a class, or of an instance's class; libraries' classes by path alone."""
        class_ = value.class_ if isinstance(value, InstanceValue) else value
        if isinstance(class_, ExternalValue):
            return (class_,)
        if not isinstance(class_, ClassValue):
            return ()
        if id(class_.facts) not in self._mros:
            self._find_mros(class_)
        return self._mros[id(class_.facts)]

    def _find_mros(self, class_: ClassValue) -> None:
        """Find the order of a class, those of its bases first, however long the chain of these is."""
        direct: dict[int, list[Ancestor]] = {}
        waiting = [class_]
        while waiting:
            current = waiting[-1]
            key = id(current.facts)
            if key in direct:
                waiting.pop()
                self._mros[key] = tuple(self._linearise(current, direct.pop(key)))
            elif key in self._mros:
                waiting.pop()
            else:
                self._mros[key] = (current,)  # for a class among its own bases
                direct[key] = list(self.bases(current))
                waiting += [base for base in reversed(direct[key]) if isinstance(base, ClassValue)]

    def _linearise(self, class_: ClassValue, direct: list[Ancestor]) -> list[Ancestor]:
        lines = [list(self.mro(base)) for base in direct]
        if any(len(line) > BASES_IN_ORDER.most for line in lines):
            self._evaluator.cuts.note_of(BASES_IN_ORDER, class_.module, class_.facts.header.start)
            lines = [line[: BASES_IN_ORDER.most] for line in lines]
        lines.append(direct)
        return [class_, *_merged(lines)]

    def behind(self, value: AbstractValue, owner: ClassValue) -> tuple[Ancestor, ...]:
        """What follows a class in the order of a class or instance, as `super()` searches it; empty if the class is not
        in that."""
        line = self.mro(value)
        places = (
            place for place, each in enumerate(line) if isinstance(each, ClassValue) and each.facts is owner.facts
        )
        return line[next(places, len(line)) + 1 :]

    def body_frame(self, class_: ClassValue) -> Frame:
        """The frame in which names of a class body are read (bases, decorators, class attributes)."""
        if class_.frame is not None:
            return class_.frame
        key = id(class_.facts)
        if key not in self._bodies:
            self._bodies[key] = Frame(class_.module, _bare_body(class_.facts.name, class_.facts.qualname, class_.facts))
        return self._bodies[key]

    def bases(self, class_: ClassValue) -> Iterator[Ancestor]:
        """The direct base classes that can be named; of a base that is one of several classes, all that are read."""
        body = self.body_frame(class_)
        for value in class_.facts.bases:
            found = self._named_by(value, body)
            if any(_is_it(each, class_) for each, _ in found):
                # `class Queue(Queue)`: the base is what the name stood for before.
                found = [each for each in self._named_by(value, _around(class_)) if not _is_it(each[0], class_)]
            if not found and isinstance(value, Item):
                found = self._named_by(value.base, body)  # `Dataset[int]` is a Dataset
            first = [each for each in found if Doubt.FALLBACK not in each[1]] or found
            if not first:
                continue
            chosen = next((each for each in first if self._is_known(each[0])), first[0])
            others = [each for each in first if each is not chosen and isinstance(each[0], ClassValue)]
            for base, doubts in (chosen, *others):
                if doubts:
                    self._doubted[id(class_.facts)] = doubts
                yield base

    def _named_by(self, value: Expr, body: Frame) -> list[tuple[Ancestor, tuple[Doubt, ...]]]:
        """The classes that an expression can be, with what is not understood of that."""
        return [
            (traced.value, traced.doubts)
            for traced in self._evaluator.evaluate(value, body)
            if isinstance(traced.value, (ClassValue, ExternalValue))
        ]

    def _is_known(self, base: Ancestor) -> bool:
        """Whether anything is known of a base class: of several that a class may have, such a one counts."""
        if isinstance(base, ClassValue):
            return True
        catalog = self._evaluator.catalog
        return external_kind(base.path, catalog) is not None or catalog.boundary(base.path) is not None

    def doubts(self, class_: ClassValue) -> tuple[Doubt, ...]:
        """What is not understood of what a class derives from."""
        found: tuple[Doubt, ...] = ()
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ClassValue):
                found = joined(found, self._doubted.get(id(ancestor.facts), ()))
        return found


def _is_it(base: Ancestor, class_: ClassValue) -> bool:
    return isinstance(base, ClassValue) and base.facts is class_.facts


def _around(class_: ClassValue) -> Frame:
    """Where names are read as a class of a module is made."""
    return class_.frame or Frame(class_.module, _bare_body(MODULE_BODY, MODULE_BODY, class_.facts))


def _bare_body(name: str, qualname: str, facts: ClassFacts) -> FunctionFacts:
    """The body of a module-level class, or of what is around it, as a function without parameters, so that names can be
    read in it."""
    return FunctionFacts(name, qualname, facts.span, facts.header, (), (), (), (), (), (), {}, (), (), ())


def _merged(lines: Iterable[Sequence[Ancestor]]) -> Iterator[Ancestor]:
    """The C3 merge of lines of classes: next comes the first head that stands in no tail; if there is none, which
    Python refuses, the first one. (A class can have thousands of bases: heads and tails are counted, not compared.)"""
    left = [deque(line) for line in lines if line]
    tails = Counter(_identity(item) for line in left for item in islice(line, 1, None))
    headed: dict[int | str, list[int]] = {}
    for place, line in enumerate(left):
        headed.setdefault(_identity(line[0]), []).append(place)
    free = [place for place, line in enumerate(left) if not tails[_identity(line[0])]]
    """A heap of lines whose heads stand in no tail, and of some that have others by now."""
    gone: set[int | str] = set()
    first = 0
    while first < len(left):
        is_free = bool(free)
        place = heappop(free) if is_free else first
        if not left[place]:
            first += place == first
            continue
        chosen = left[place][0]
        if is_free and tails[_identity(chosen)]:
            continue
        yield chosen
        gone.add(_identity(chosen))
        for each in headed.pop(_identity(chosen)):
            line = left[each]
            line.popleft()
            while line:
                head = _identity(line[0])
                tails[head] -= 1
                if head in gone:
                    line.popleft()
                    continue
                headed.setdefault(head, []).append(each)
                if not tails[head]:
                    for now in headed[head]:
                        heappush(free, now)
                break


def _identity(item: Ancestor) -> int | str:
    return id(item.facts) if isinstance(item, ClassValue) else item.path
