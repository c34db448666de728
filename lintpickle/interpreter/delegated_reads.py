"""What an object hands on to one that it holds, by `def __getattr__(self, name): return getattr(self.worker, name)`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import structs

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Argument, Call, Expr, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    Bound,
    ClassValue,
    ConstantValue,
    Frame,
    InstanceValue,
    TracedValue,
)
from lintpickle.interpreter.class_reads import ClassReads
from lintpickle.interpreter.plain_bases import BARE_BASES
from lintpickle.interpreter.protocols import ClassQueries, Interpreter
from lintpickle.interpreter.slots import one_of
from lintpickle.interpreter.taken import taken_returns
from lintpickle.parsing.syntax import is_special_name

_HOOK = "__getattr__"


class DelegatedReads:
    """Reads for one evaluator, of attributes that an object does not have itself."""

    def __init__(self, evaluator: Interpreter, classes: ClassQueries, reads: ClassReads) -> None:
        self._evaluator = evaluator
        self._classes = classes
        self._reads = reads
        self._frames: dict[tuple[int, str], tuple[Frame, Frame]] = {}
        self._sought: set[tuple[int, str]] = set()

    def forget(self) -> None:
        """Let go of the frames in which attributes were looked up."""
        self._frames.clear()

    def read(self, instance: InstanceValue, name: str) -> Sequence[TracedValue]:
        """What the objects to which an object hands such a read on give for it; nothing if it hands none on."""
        found = None if is_special_name(name) else self._classes.find_method(instance, _HOOK)
        if found is None or len(found[1].parameters) < 2 or not self._is_read(instance):
            return ()
        key = (id(instance.class_.facts), name)
        if key in self._sought:
            return ()
        self._sought.add(key)
        try:
            frame = self._told(self._reads.frame_on(*found, instance), name)
            handed_on = list(self._handed_on(frame))
            given = [traced for each in handed_on for traced in self._evaluator.given(each, frame)]
        finally:
            self._sought.discard(key)
        given = [each for each in given if each.value is not UNKNOWN]
        return given if len(handed_on) < 2 else one_of(given)

    def _handed_on(self, frame: Frame) -> Iterator[Expr]:
        """What a lookup returns that is an attribute of another object, where this call of it gets there."""
        for each in taken_returns(frame, self._evaluator):
            if _hands_on(each, frame.function) and self._evaluator.conditions.may_get_to(each.span, frame):
                yield each

    def _is_read(self, instance: InstanceValue) -> bool:
        """Whether no base class that is not read may have the attribute."""
        line = self._classes.mro(instance)
        return all(isinstance(each, ClassValue) or each.path in BARE_BASES for each in line)

    def _told(self, frame: Frame, name: str) -> Frame:
        """The frame of a lookup that is asked for a name."""
        key = (id(frame), name)
        if key not in self._frames:
            asked = {frame.function.parameters[1].name: Bound(value=ConstantValue(name))}
            self._frames[key] = (frame, structs.replace(frame, bindings={**frame.bindings, **asked}))
        return self._frames[key][1]


def _hands_on(value: Expr, lookup: FunctionFacts) -> bool:
    """Whether an expression is what another object has under the very name that is looked up."""
    match without_narrowing(value):
        case Call(function=Name(name="getattr"), arguments=(_, Argument(value=Parameter(name=name)), *_)):
            return name == lookup.parameters[1].name
        case _:
            return False
