"""What iterators of the standard library give, one after the other."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Call, Collection, Item, Value
from lintpickle.interpreter.abstract_values import ContainerThing, Piece, ProductThing
from lintpickle.interpreter.frames import OPEN, Frame

ITERATORS = frozenset({"iterator", "chain", "repeat"})
"""The kinds of containers that are iterators; `pieces` are what they were made of."""
_OF_FIRST = frozenset({"reversed", "islice", "cycle", "compress"})
_OF_SECOND = frozenset({"filter", "filterfalse", "takewhile", "dropwhile"})
_SIDE_BY_SIDE = frozenset({"zip", "zip_longest", "product"})
_NEIGHBOURS = frozenset({"pairwise", "permutations", "combinations", "combinations_with_replacement"})


def given_by(iterator: ContainerThing) -> Iterator[Piece]:
    """What an iterator gives, by the function that made it and what that was given; nothing if it is not known."""
    pieces = iterator.pieces
    values = [piece.value for piece in pieces if piece.label != f"[{OPEN}]"]
    if iterator.made_by == "chain":
        yield from (_piece(_element(piece.value), piece) for piece in pieces)
        return
    if not pieces or len(values) < len(pieces):
        return
    match iterator.made_by, values:
        case "repeat", [value, *_]:
            yield _piece(value, pieces[0])
        case "chain.from_iterable", [value]:
            yield _piece(_element(_element(value)), pieces[0])
        case "enumerate", [value, *_]:
            yield _piece(_tuple(Value(value.span), _element(value)), pieces[0])
        case "iter", [value]:
            yield _piece(_element(value), pieces[0])
        case name, [value, *_] if name in _OF_FIRST:
            yield _piece(_element(value), pieces[0])
        case name, [_, value] if name in _OF_SECOND:
            yield _piece(_element(value), pieces[0])
        case name, _ if name in _SIDE_BY_SIDE:
            yield _piece(_tuple(*map(_element, values)), pieces[0])
        case name, [value, *_] if name in _NEIGHBOURS:
            yield _piece(_tuple(_element(value), _element(value)), pieces[0])
        case _:
            pass


def given_by_view(view: ProductThing) -> Iterator[Piece]:
    """The same for a view of a dict; keys are not known."""
    match view:
        case ProductThing(call=Call(function=Attribute(base=base, name=name)), frame=Frame() as frame):
            if name == "values":
                yield Piece(f"[{OPEN}]", _any_item(base), frame)
            elif name == "items":
                yield Piece(f"[{OPEN}]", _tuple(Value(base.span), _any_item(base)), frame)
        case _:
            pass


def _element(value: Value) -> Value:
    # With the span of the value it would be one that is starred.
    return Item(Span(value.span.start, value.span.start), value, None)


def _any_item(value: Value) -> Value:
    return Item(value.span, value, Value(value.span))


def _tuple(*elements: Value) -> Value:
    return Collection(elements[0].span, "tuple", elements)


def _piece(value: Value, piece: Piece) -> Piece:
    return Piece(f"[{OPEN}]", value, piece.frame)
