"""Texts that are put together and name something: `f"prepare_{mode}"`, `"load_" + split`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from lintpickle.facts.values import Expr
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    DataValue,
    Frame,
    Site,
    TracedValue,
    joined,
)
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.limits import TEXTS


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
