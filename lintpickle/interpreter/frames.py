"""Calls: which argument reaches which parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from lintpickle.control_flow.paths import Ways
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Argument, Call, Choice, Parameter, Value, plain
from lintpickle.interpreter.abstract_values import ConstantThing, ContainerThing, Piece, Reached, Thing
from lintpickle.limits import DEPTH, RECURSION

if TYPE_CHECKING:
    from lintpickle.program.module import Module

WIDENED_DEPTH = DEPTH.most - 2
"""How deep a call of a recursive function is taken to be."""
OPEN = "…"
"""The label of a piece at an unknown place."""

_SPREADABLE = frozenset({"dict", "list", "tuple", "*", "**"})


class Bound(Struct, frozen=True, eq=False):
    """What a parameter is bound to: an expression in the caller's frame, or a thing; neither means unknown."""

    value: Value | None = None
    frame: Frame | None = None
    thing: Thing | None = None


class Frame(Struct, frozen=True, eq=False):
    """One activation of a function: where its names are read and what its parameters are bound to.

    A parameter without binding has its default; if the frame is `open` (not all arguments are known), it may have
    any other value too. `parent` is the frame of the lexically enclosing function. `active` are the identities of the
    functions that have been called on the way here, this one last.
    """

    module: Module
    function: FunctionFacts
    bindings: dict[str, Bound] = field(default_factory=dict)
    parent: Frame | None = None
    depth: int = 0
    open: bool = False
    active: tuple[int, ...] = ()

    @property
    def paths(self) -> Ways:
        """The paths through its function."""
        return Ways(self.module, self.function.span)

    def is_active(self, function: FunctionFacts) -> bool:
        """Whether a function has been entered so often on the way here that it is recursive."""
        return self.active.count(id(function)) >= RECURSION.most

    def enclosing(self, owner: str) -> Frame | None:
        """The frame of the enclosing function with that qualified name."""
        frame: Frame | None = self
        while frame is not None:
            if frame.function.qualname == owner:
                return frame
            frame = frame.parent
        return None


def passed_first(bound: Bound | None) -> Bound | None:
    """What a caller passed for a parameter first, where each caller passed on a parameter of its own."""
    while bound is not None and bound.value is not None and bound.frame is not None:
        passed = plain(bound.value)
        if not isinstance(passed, Parameter):
            break
        home = bound.frame.enclosing(passed.owner)
        bound = home.bindings.get(passed.name) if home is not None else None
    return bound


class Arguments(Struct, frozen=True):
    """The arguments of a call after `*` and `**` are expanded as far as they can be seen.

    `open` says that more arguments may follow that cannot be seen.
    """

    positional: tuple[Bound, ...]
    keywords: dict[str, Bound]
    open: bool


class Evaluates(Protocol):
    """What expanding `*args` and `**kwargs` needs of the evaluator."""

    def evaluate(self, value: Value, frame: Frame) -> tuple[Reached, ...]:
        """The things that an expression can be."""
        ...


def expand(call: Call, frame: Frame, evaluator: Evaluates) -> Arguments:
    """The arguments of `call` in `frame`, with visible `*sequence` and `**mapping` spread out."""
    positional: list[Bound] = []
    keywords: dict[str, Bound] = {}
    is_open = False
    for argument in call.arguments:
        if argument.star == "*":
            pieces = _spread(argument, frame, evaluator)
            if pieces is None or is_open:
                is_open = True
            else:
                positional.extend(Bound(value=piece.value, frame=piece.frame) for piece in pieces)
        elif argument.star == "**":
            pieces = _spread(argument, frame, evaluator)
            if pieces is None:
                is_open = True
                continue
            for piece in pieces:
                if piece.label.startswith("['"):
                    keywords[piece.label[2:-2]] = Bound(value=piece.value, frame=piece.frame)
                else:
                    is_open = True
        elif argument.keyword is not None:
            keywords[argument.keyword] = Bound(value=argument.value, frame=frame)
        else:
            positional.append(Bound(value=argument.value, frame=frame))
    return Arguments(tuple(positional), keywords, is_open)


def _spread(argument: Argument, frame: Frame, evaluator: Evaluates) -> list[Piece] | None:
    """What `*value` or `**value` holds; None unless all of it is in sight."""
    found: list[tuple[Piece, ...]] = []
    for reached in evaluator.evaluate(argument.value, frame):
        match reached.thing:
            case ContainerThing(pieces=held, kind=kind) if kind in _SPREADABLE:
                if argument.star == "*" and any(piece.label == f"[{OPEN}]" for piece in held):
                    return None
                found.append(held)
            case ConstantThing(value=None):
                continue
            case _:
                return None
    if len(found) > 1:
        return _one_of(found) if argument.star == "**" else None
    return [piece for held in found for piece in held]


def _one_of(mappings: list[tuple[Piece, ...]]) -> list[Piece]:
    """What one of several mappings holds: under each key, what any of them has there, or what is not known."""
    by_label = [{piece.label: piece for piece in held} for held in mappings]
    labels = dict.fromkeys(piece.label for held in mappings for piece in held)
    return [_any_of([each[label] for each in by_label if label in each], len(mappings)) for label in labels]


def _any_of(pieces: list[Piece], count: int) -> Piece:
    first = pieces[0]
    if all(piece.frame is first.frame for piece in pieces):
        options = dict.fromkeys(piece.value for piece in pieces)
        if len(options) == 1 and len(pieces) == count:
            return first
        unknown = (Value(first.value.span),) if len(pieces) < count else ()
        return Piece(first.label, Choice(first.value.span, (*options, *unknown)), first.frame)
    return Piece(first.label, Value(first.value.span), first.frame)


def bind(function: FunctionFacts, arguments: Arguments, first: Bound | None = None) -> dict[str, Bound] | None:
    """Bind arguments to parameters; `first` is the instance or class of a bound method.

    None if the call cannot be meant for this function (too many arguments, or one of a name that it does not have).
    """
    bindings: dict[str, Bound] = {}
    positional = ([first] if first is not None else []) + list(arguments.positional)
    named = [p for p in function.parameters if p.kind in ("positional-only", "positional")]
    rest: list[Bound] = []
    for index, bound in enumerate(positional):
        if index < len(named):
            bindings[named[index].name] = bound
        else:
            rest.append(bound)
    star = next((p for p in function.parameters if p.kind == "*"), None)
    double = next((p for p in function.parameters if p.kind == "**"), None)
    if rest and star is None:
        return None
    extra: dict[str, Bound] = {}
    names = {p.name for p in function.parameters if p.kind in ("positional", "keyword-only")}
    for name, bound in arguments.keywords.items():
        if name in names:
            bindings[name] = bound
        else:
            extra[name] = bound
    if extra and double is None and not function.decorators:
        return None
    if star is not None and not arguments.open:
        bindings[star.name] = _packed("*", [(f"[{i}]", b) for i, b in enumerate(rest)])
    if double is not None and (extra or not arguments.open):
        packed = [(f"['{name}']", b) for name, b in extra.items()]
        bindings[double.name] = _packed("**", packed, is_open=arguments.open)
    if arguments.open:
        for parameter in function.parameters:
            if parameter.kind not in ("*", "**") and parameter.default is None:
                bindings.setdefault(parameter.name, Bound())
    return bindings


def _packed(kind: str, bounds: list[tuple[str, Bound]], is_open: bool = False) -> Bound:
    pieces = [Piece(label, b.value, b.frame) for label, b in bounds if b.value is not None and b.frame is not None]
    if is_open and pieces:
        pieces.append(Piece(f"[{OPEN}]", Value(pieces[0].value.span), pieces[0].frame))
    return Bound(thing=ContainerThing(kind, tuple(pieces)))
