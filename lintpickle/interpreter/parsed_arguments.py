"""What an `ArgumentParser` puts into the namespace that it gives: the files that it has opened."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant, Expr
from lintpickle.interpreter.abstract_values import (
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    ProductValue,
    Slot,
    SlotKey,
)
from lintpickle.interpreter.protocols import Interpreter

_PARSES = frozenset({"parse_args", "parse_intermixed_args"})
_OPENS = frozenset({"argparse.FileType", "builtins.open"})
"""Types of arguments that open a file for what is given, also for a default that is a string."""


class ParsedArguments:
    """Evaluates calls of parsers for one evaluator."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._opened: dict[int, tuple[Call, Call]] = {}

    def parsed(self, call: Call, frame: Frame) -> ContainerValue | None:
        """The namespace that a parser gives; None unless it holds files."""
        if not isinstance(call.function, Attribute) or call.function.name not in _PARSES:
            return None
        for traced in self._evaluator.evaluate(call.function.base, frame):
            match traced.value:
                case ProductValue(call=Call() as made, frame=Frame() as home) as parser if (
                    parser.product.kind == "parser"
                ):
                    slots = tuple(self._files(made, home))
                    if slots:
                        return ContainerValue("Namespace", slots, call)
                case _:
                    pass
        return None

    def _files(self, parser: Call, home: Frame) -> Iterator[Slot]:
        """The arguments for which a parser opens files, by what the function that makes it adds to it."""
        for event in home.function.events:
            match event:
                case Called(call=Call(function=Attribute(base=base, name="add_argument")) as added):
                    kind = added.keyword("type")
                    name = _destination(added)
                    if kind is not None and name and self._is_made_by(base, parser, home) and self._opens(kind, home):
                        yield Slot(SlotKey(attribute=name), self._open(added, kind), home)
                case _:
                    pass

    def _is_made_by(self, base: Expr, parser: Call, home: Frame) -> bool:
        found = (each.value for each in self._evaluator.evaluate(base, home))
        return any(isinstance(each, ProductValue) and each.call is parser for each in found)

    def _opens(self, kind: Expr, home: Frame) -> bool:
        found = (each.value for each in self._evaluator.evaluate(kind, home))
        return any(isinstance(each, ExternalResult | ExternalValue) and each.path in _OPENS for each in found)

    def _open(self, added: Call, kind: Expr) -> Call:
        """The call that opens the file: the same one for the same argument, as values are known by identity."""
        if id(added) not in self._opened:
            self._opened[id(added)] = (added, Call(kind.span, kind, ()))
        return self._opened[id(added)][1]


def _destination(added: Call) -> str | None:
    """The attribute that an argument gets: its `dest`, its first long option, or its name."""
    dest = added.keyword("dest")
    if isinstance(dest, Constant) and isinstance(dest.value, str):
        return dest.value
    flags = [each.value for each in added.positional() or () if isinstance(each, Constant)]
    names = [each for each in flags if isinstance(each, str)]
    best = next((each for each in names if each.startswith("--")), names[0] if names else None)
    return best.lstrip("-").replace("-", "_") if best else None
