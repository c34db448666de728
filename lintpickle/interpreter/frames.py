"""Calls: which argument reaches which parameter."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Argument, Call, Choice, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    Bound,
    ConstantValue,
    ContainerValue,
    Frame,
    InstanceValue,
    Slot,
    SlotKey,
)
from lintpickle.interpreter.own_items import as_container
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import OBJECT_DICT
from lintpickle.limits import DEPTH

WIDENED_DEPTH = DEPTH.most - 2
"""How deep a call of a recursive function is taken to be."""

_SPREADABLE = frozenset({OBJECT_DICT, "dict", "list", "tuple", "*", "**"})


def passed_first(bound: Bound | None) -> Bound | None:
    """What a caller passed for a parameter first, where each caller passed on a parameter of its own."""
    while bound is not None and bound.expr is not None and bound.frame is not None:
        passed = without_narrowing(bound.expr)
        if not isinstance(passed, Parameter):
            break
        home = bound.frame.enclosing(passed.owner)
        bound = home.bindings.get(passed.name) if home is not None else None
    return bound


class Arguments(Struct, frozen=True):
    """The arguments of a call after `*` and `**` are expanded as far as they can be seen.

    `open` says that more arguments may follow that cannot be seen. `optional` are the keywords that only some of the
    mappings have which a `**mapping` may be; `others` is what one holds under keys that are not known.
    """

    positional: tuple[Bound, ...]
    keywords: dict[str, Bound]
    open: bool
    optional: frozenset[str] = frozenset()
    others: Bound | None = None


def expand(call: Call, frame: Frame, evaluator: Interpreter) -> Arguments:
    """The arguments of `call` in `frame`, with visible `*sequence` and `**mapping` spread out."""
    positional: list[Bound] = []
    keywords: dict[str, Bound] = {}
    optional: set[str] = set()
    others: Bound | None = None
    is_open = False
    for argument in call.arguments:
        if argument.star == "*":
            held = _spread(argument, frame, evaluator)
            if held is None or len(held) > 1 or is_open:
                is_open, others = True, Bound()
            else:
                positional.extend(Bound(expr=slot.value, frame=slot.frame) for slots in held for slot in slots)
        elif argument.star == "**":
            held = _spread(argument, frame, evaluator)
            if held is None:
                is_open, others = True, Bound()
                continue
            optional |= _optional(held)
            for slot in _one_of(held):
                if isinstance(slot.key.item, str):
                    keywords[slot.key.item] = Bound(expr=slot.value, frame=slot.frame)
                else:
                    others = Bound() if is_open else Bound(expr=slot.value, frame=slot.frame)
                    is_open = True
        elif argument.keyword is not None:
            keywords[argument.keyword] = Bound(expr=argument.value, frame=frame)
        else:
            positional.append(Bound(expr=argument.value, frame=frame))
    return Arguments(tuple(positional), keywords, is_open, frozenset(optional), others)


def _spread(argument: Argument, frame: Frame, evaluator: Interpreter) -> list[tuple[Slot, ...]] | None:
    """What `*value` or `**value` holds, for each container that the value can be; None unless all of it is in sight."""
    found: list[tuple[Slot, ...]] = []
    for traced in evaluator.evaluate(argument.value, frame):
        match traced.value:
            case InstanceValue() as instance if argument.star == "**" and (own := as_container(instance, evaluator)):
                unknown = Slot(SOME_ITEM, Expr(argument.value.span), frame)
                found.append((*own.value.slots, unknown) if isinstance(own.value, ContainerValue) else (unknown,))
            case ContainerValue(slots=held, kind=kind) if kind in _SPREADABLE:
                if argument.star == "*" and any(slot.key == SOME_ITEM for slot in held):
                    return None
                found.append(held)
            case ConstantValue(value=None):
                continue
            case _:
                return None
    return found


def _optional(mappings: list[tuple[Slot, ...]]) -> set[str]:
    """The keys that only some of several mappings have, or that objects may have besides others."""
    keys: list[set[int | str | None]] = [{slot.key.item for slot in held} for held in mappings]
    keys += [set() for held in mappings if any(slot.key == SOME_ITEM for slot in held)]
    keys += [{slot.key.item for slot in held if not slot.is_optional} for held in mappings]
    return {each for each in set().union(*keys) if isinstance(each, str) and not all(each in some for some in keys)}


def _one_of(mappings: list[tuple[Slot, ...]]) -> list[Slot]:
    """What one of several mappings holds: under each key, what any of them has there, or what is not known."""
    if len(mappings) == 1:
        return _once(mappings[0])
    by_key = [{slot.key: slot for slot in held} for held in mappings]
    keys = dict.fromkeys(slot.key for held in mappings for slot in held)
    return [_any_of([each[key] for each in by_key if key in each], len(mappings)) for key in keys]


def _once(held: tuple[Slot, ...]) -> list[Slot]:
    """What a mapping holds that was made of one of several others: under each key, what it may be."""
    by_key: dict[SlotKey, list[Slot]] = {}
    for slot in held:
        by_key.setdefault(slot.key, []).append(slot)
    named = {key: slots for key, slots in by_key.items() if isinstance(key.item, str) and len(slots) > 1}
    once = [slot for slot in held if slot.key not in named]
    return [*(_any_of(slots, len(slots)) for slots in named.values()), *once]


def _any_of(slots: list[Slot], count: int) -> Slot:
    first = slots[0]
    if all(slot.frame is first.frame for slot in slots):
        options = dict.fromkeys(slot.value for slot in slots)
        if len(options) == 1 and len(slots) == count:
            return first
        unknown = (Expr(first.value.span),) if len(slots) < count else ()
        return Slot(first.key, Choice(first.value.span, (*options, *unknown)), first.frame)
    return Slot(first.key, Expr(first.value.span), first.frame)


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
        elif double is not None or name not in arguments.optional:
            extra[name] = bound
    if extra and double is None and not function.decorators:
        return None
    if star is not None and not arguments.open:
        bindings[star.name] = _packed("*", [(SlotKey(item=i), b) for i, b in enumerate(rest)])
    if double is not None and (extra or not arguments.open):
        packed = [(SlotKey(item=name), b) for name, b in extra.items()]
        bindings[double.name] = _packed("**", packed, is_open=arguments.open)
    if arguments.open:
        for parameter in function.parameters:
            if parameter.kind not in ("*", "**") and parameter.default is None:
                bindings.setdefault(parameter.name, arguments.others or Bound())
    return bindings


def _packed(kind: str, bounds: list[tuple[SlotKey, Bound]], is_open: bool = False) -> Bound:
    slots = [Slot(key, b.expr, b.frame) for key, b in bounds if b.expr is not None and b.frame is not None]
    if is_open and slots:
        slots.append(Slot(SOME_ITEM, Expr(slots[0].value.span), slots[0].frame))
    return Bound(value=ContainerValue(kind, tuple(slots)))
