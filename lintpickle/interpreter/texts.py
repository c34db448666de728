"""Texts that are put together, or cut, and name something: `f"prepare_{mode}"`, `"load_" + split`,
`target.rpartition(".")`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from lintpickle.facts.values import Argument, Attribute, Call, Constant, Expr
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    Frame,
    Site,
    Slot,
    SlotKey,
    TracedValue,
    joined,
)
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.limits import TEXTS

_METHODS = frozenset(
    {"partition", "rpartition", "split", "rsplit", "strip", "lstrip", "rstrip", "lower", "upper", "capitalize", "title"}
    | {"removeprefix", "removesuffix", "replace"}
)
"""Methods of a text that give another one, or several."""


def texts(parts: tuple[Expr, ...], frame: Frame, site: Site, evaluator: Interpreter) -> Iterator[TracedValue]:
    """What a text of these parts can be: one value for each way to put together what the parts can be, as far as these
    are constants; of the others, how they start and end."""
    values = [evaluator.evaluate(part, frame) for part in parts]
    for count, chosen in enumerate(product(*values)):
        if count == TEXTS.most:
            evaluator.cuts.note(TEXTS)
            return
        pieces = [_text(traced.value) for traced in chosen]
        known = [piece for piece in pieces if piece is not None]
        if len(known) == len(pieces):
            value: AbstractValue = ConstantValue("".join(known))
        else:
            value = DataValue("str", _start(pieces), _start(reversed(pieces), backwards=True))
        doubts = chosen[0].doubts
        for traced in chosen[1:]:
            doubts = joined(doubts, traced.doubts)
        yield TracedValue(value, site, doubts=doubts)


def made_of_text(call: Call, frame: Frame, site: Site, evaluator: Interpreter) -> list[TracedValue]:
    """What a method of a text gives that cuts it, or changes it, where the text and the arguments are known."""
    match call:
        case Call(function=Attribute(base=base, name=method), arguments=arguments) if method in _METHODS:
            given = [_constant(each, frame, evaluator) for each in arguments]
        case _:
            return []
    found = evaluator.evaluate(base, frame)
    texts_known = [each.value.value for each in found if isinstance(each.value, ConstantValue)]
    if len(texts_known) < len(found) or not all(isinstance(each, str) for each in texts_known):
        return []
    made = [_made(text, method, given) for text in texts_known]
    if any(each is None for each in made):
        return []
    ways = zip(found, made, strict=True)
    return [TracedValue(_value(each, call, frame), site).by_way_of(traced) for traced, each in ways]


def _constant(argument: Argument, frame: Frame, evaluator: Interpreter) -> object:
    """The one constant that a positional argument is; `...` if it is not known, or named."""
    found = evaluator.evaluate(argument.value, frame) if not argument.keyword and not argument.star else ()
    return found[0].value.value if len(found) == 1 and isinstance(found[0].value, ConstantValue) else ...


def _made(text: object, method: str, given: list[object]) -> object:
    """What the method gives; None if it does not take what it is given."""
    try:
        return getattr(text, method)(*given)
    except (TypeError, ValueError):
        return None


def _value(made: object, call: Call, frame: Frame) -> AbstractValue:
    if not isinstance(made, (tuple, list)):
        return ConstantValue(made)
    slots = (Slot(SlotKey(item=index), Constant(call.span, part), frame) for index, part in enumerate(made))
    return ContainerValue(type(made).__name__, tuple(slots))


def _text(value: AbstractValue) -> str | None:
    match value:
        case ConstantValue(value=str() | int() as constant):
            return str(constant)
        case _:
            return None


def _start(pieces: Iterable[str | None], backwards: bool = False) -> str:
    found = ""
    for piece in pieces:
        if piece is None:
            break
        found = piece + found if backwards else found + piece
    return found
