"""Calls of what is not read: the catalog says what they give, or what they do with their arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lintpickle.catalog import Product
from lintpickle.facts.values import Argument, Call, Value
from lintpickle.interpreter.abstract_values import (
    PLAIN,
    ConstantThing,
    ContainerThing,
    ExternalResult,
    Piece,
    ProductThing,
    Reached,
    Site,
)
from lintpickle.interpreter.frames import Frame
from lintpickle.interpreter.slots import elements_of, is_mapping, kept, kept_kind

if TYPE_CHECKING:
    from lintpickle.interpreter.evaluator import Evaluator

_USED_UP = frozenset({"key", "reverse", "maxlen"})
"""Keyword arguments that a consuming call does not keep."""


class ExternalCalls:
    """Evaluates calls of library functions for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._catalog = evaluator.catalog

    def call(self, path: str, call: Call, frame: Frame, site: Site) -> Iterator[Reached]:
        """What a call may give. A product that is made of its arguments, as an iterator that does not pickle, is two
        things: itself, and what it holds."""
        product, converter = self.product(path, call, frame), self._catalog.converter(path)
        if product is not None:
            yield Reached(ProductThing(product, path, call, frame), site)
            if converter is None:
                return
        positional = call.positional() or ()
        match converter:
            case "first" | "copy" if positional:
                yield from self._evaluator.evaluate(positional[0], frame)
            case "last" if positional:
                yield from self._evaluator.evaluate(positional[-1], frame)
            case "consume":
                kind = path.rpartition(".")[2]
                pieces = tuple(self._consumed_by(call.arguments, frame, is_mapping(kind)))
                yield Reached(ContainerThing(kind, pieces, call), site)
            case "keep":
                pieces = tuple(kept(call, frame, self._catalog.drops(path)))
                yield Reached(ContainerThing(kept_kind(path), pieces, call, _name_of(path)), site)
            case "default":
                yield Reached(ContainerThing(kept_kind(path), tuple(self._defaulting(call, frame)), call), site)
            case "iterate":
                pieces = tuple(piece for piece in kept(call, frame) if not self._is_view(piece))
                yield Reached(ContainerThing("iterator", pieces, call, _name_of(path)), site)
            case _:
                owner, dot, method = path.rpartition("().")
                made = self._catalog.method_returns(owner, method) if dot else self._catalog.returns(path)
                if made is None and self._catalog.is_safe_function(path):
                    yield Reached(PLAIN, site)
                else:
                    yield Reached(ExternalResult(made or path, call, frame), site)

    def product(self, path: str, call: Call, frame: Frame) -> Product | None:
        owner, dot, method = path.rpartition("().")
        if dot:
            product = self._catalog.method_product(owner, method)
        else:
            depends = self._catalog.depends_on_arguments(path)
            product = self._catalog.product(path, self._literals(call, frame) if depends else None)
        return product if product is not None and product.first_failing(self._evaluator.pythons) else None

    def _literals(self, call: Call, frame: Frame) -> dict[int | str, object]:
        """The arguments of a call as far as they are literals; `...` stands for one whose value is not known."""
        literals: dict[int | str, object] = {}
        for index, argument in enumerate(call.arguments):
            if argument.star:
                continue
            reached = self._evaluator.evaluate(argument.value, frame)
            only = reached[0].thing if len(reached) == 1 else None
            literal = only.value if isinstance(only, ConstantThing) else ...
            literals[argument.keyword or index] = literal
        return literals

    def _is_view(self, piece: Piece) -> bool:
        reached = self._evaluator.evaluate(piece.value, piece.frame)
        return any(isinstance(r.thing, ProductThing) and r.thing.product.kind == "view" for r in reached)

    def _defaulting(self, call: Call, frame: Frame) -> Iterator[Piece]:
        """What a `defaultdict` holds: a factory, and what it is filled with."""
        first = call.arguments[0] if call.arguments else None
        if first is not None and first.keyword is None and not first.star:
            yield Piece(".default_factory", first.value, frame)
        yield from self._consumed_by(call.arguments[1:], frame, of_mapping=True)

    def _consumed_by(self, arguments: Sequence[Argument], frame: Frame, of_mapping: bool) -> Iterator[Piece]:
        """What a container made from other containers holds: elements of the positional arguments, and the
        keyword arguments themselves; a mapping, all that other mappings hold."""
        for argument in arguments:
            if argument.keyword is None:
                yield from self._consumed(argument.value, frame, of_mapping)
            elif argument.keyword not in _USED_UP:
                yield Piece(f"['{argument.keyword}']", argument.value, frame)

    def _consumed(self, value: Value, frame: Frame, of_mapping: bool) -> Iterator[Piece]:
        """What `list(value)`, or `dict(value)`, ends up holding."""
        for reached in self._evaluator.evaluate(value, frame):
            match reached.thing:
                case ContainerThing(kind=kind, pieces=pieces) if of_mapping and is_mapping(kind):
                    yield from (piece for piece in pieces if piece.is_item)
                case thing:
                    yield from elements_of(thing)


def _name_of(path: str) -> str:
    """The name of a function in its module: `chain.from_iterable` of `itertools.chain.from_iterable`."""
    return path.partition(".")[2]
