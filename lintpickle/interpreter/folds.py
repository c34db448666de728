"""What functions give that go through an iterable and end with one thing: `sum`, `max`, `min`, `functools.reduce`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lintpickle.facts.values import Argument, Call, Expr
from lintpickle.interpreter.abstract_values import (
    ConstantValue,
    Doubt,
    ExternalValue,
    Frame,
    FunctionValue,
    ModuleValue,
    PlainValue,
    TracedValue,
    is_indefinite,
)
from lintpickle.interpreter.iterators import some_element
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import one_of


def results_of_fold(path: str, call: Call, frame: Frame, evaluator: Interpreter) -> Sequence[TracedValue]:
    """What such a call can give but for plain data: one of the elements, or what is made of them; nothing if the call
    is another one, or no more is known of the elements."""
    given = call.positional() or ()
    match path, given:
        case "builtins.max" | "builtins.min", (several,):
            return one_of(_telling(_values((some_element(several), call.keyword("default")), frame, evaluator)))
        case "builtins.max" | "builtins.min", (_, _, *_):
            return one_of(_telling(_values(given, frame, evaluator)))
        case "builtins.sum", (several, *start):
            begun = start[0] if start else call.keyword("start")
            return _made_of((some_element(several), begun), frame, evaluator)
        case "functools.reduce", (function, several, *start):
            return _reduced(function, several, start, call, frame, evaluator)
        case _:
            return ()


def _reduced(
    function: Expr, several: Expr, start: Sequence[Expr], call: Call, frame: Frame, evaluator: Interpreter
) -> Sequence[TracedValue]:
    element = some_element(several)
    is_followed = any(isinstance(each.value, FunctionValue) for each in evaluator.evaluate(function, frame))
    if not is_followed:
        return _made_of((element, *start), frame, evaluator)
    made = Call(call.span, function, (Argument(start[0] if start else element), Argument(element)))
    return one_of(_telling(_values((made, *start), frame, evaluator)))


def _made_of(parts: Iterable[Expr | None], frame: Frame, evaluator: Interpreter) -> list[TracedValue]:
    """What an operator makes of things: as a rule, another one of their kind."""
    return [each.doubted(Doubt.CALL) for each in one_of(_telling(_values(parts, frame, evaluator)))]


def _values(parts: Iterable[Expr | None], frame: Frame, evaluator: Interpreter) -> Iterator[TracedValue]:
    return (traced for part in parts if part is not None for traced in evaluator.evaluate(part, frame))


def _telling(found: Iterable[TracedValue]) -> list[TracedValue]:
    untold = (ConstantValue, PlainValue, ModuleValue, ExternalValue)
    return [each for each in found if not is_indefinite(each.value) and not isinstance(each.value, untold)]
