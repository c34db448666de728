"""Small questions about things and the pieces that containers hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from lintpickle.facts.values import Call, Constant, Item, Value, parameter_name
from lintpickle.interpreter.abstract_values import (
    PLAIN,
    UNKNOWN,
    ConstantThing,
    ContainerThing,
    Doubt,
    FunctionThing,
    GeneratorThing,
    InstanceThing,
    ModuleThing,
    Piece,
    ProductThing,
    Reached,
    Site,
    Thing,
)
from lintpickle.interpreter.cuts import Cuts
from lintpickle.interpreter.frames import OPEN, Frame
from lintpickle.interpreter.iterators import ITERATORS, given_by, given_by_view
from lintpickle.limits import ITEMS, STEPS, VALUES
from lintpickle.program.module import Module

MODULE_KINDS = frozenset({"module", "lightning-module"})
"""Kinds of classes that are torch modules."""
MODULE_CONTAINERS = frozenset({"Sequential", "ModuleList", "ModuleDict", "DataParallel", "DistributedDataParallel"})
"""Kinds of containers that are torch modules."""

_MAPPINGS = frozenset(
    {"dict", "OrderedDict", "defaultdict", "Counter", "ChainMap", "UserDict", "ModuleDict", "ParameterDict", "EasyDict"}
)


def elements_of(thing: Thing) -> Iterator[Piece]:
    """What iterating a thing yields, as far as it can be seen."""
    match thing:
        case ContainerThing(kind=kind) if is_mapping(kind):
            return  # Keys are no hazards.
        case ContainerThing(kind=kind) as iterator if kind in ITERATORS:
            yield from given_by(iterator)
        case ProductThing(product=product) if product.kind == "view":
            yield from given_by_view(thing)
        case ContainerThing(pieces=pieces):
            yield from (Piece(f"[{OPEN}]", p.value, p.frame) for p in pieces if p.is_item)
        case GeneratorThing(element=element, frame=inner) if element is not None and inner is not None:
            yield Piece(f"[{OPEN}]", element, inner)
        case _:
            pass


def is_mapping(kind: str) -> bool:
    """Whether a container of that kind is a mapping: iterating it gives keys."""
    return kind == "**" or kind.rpartition(".")[2] in _MAPPINGS


def kept(call: Call, frame: Frame, dropped: Sequence[str] = ()) -> Iterator[Piece]:
    """The arguments that a call keeps, all but the keywords in `dropped`."""
    for index, argument in enumerate(call.arguments):
        if argument.keyword in dropped:
            continue
        if argument.star == "*":
            element = Item(argument.value.span, argument.value, None)
            yield Piece(f"[{OPEN}]", element, frame)
            continue
        label = f"[{index}]" if argument.keyword is None else f".{argument.keyword}"
        yield Piece(label, argument.value, frame)


def is_module(thing: Thing) -> bool:
    """A module among other things that a function returns is a lookup by name, whose result is not known."""
    return isinstance(thing, ModuleThing) or (isinstance(thing, ProductThing) and thing.product.kind == "module")


def made_phrase(thing: Thing) -> str:
    """How a trail says that a module-level name holds a thing."""
    match thing:
        case InstanceThing(class_=class_):
            return f"creates {class_.facts.name}"
        case FunctionThing(facts=facts) if facts.name == "<lambda>":
            return "a lambda, whatever name it is given"
        case _:
            return "is made here"


def kept_kind(path: str) -> str:
    """The kind of the container that a call which keeps its arguments makes."""
    last = path.rpartition(".")[2]
    return {"partial": "functools.partial", "OrderedDict": "collections.OrderedDict"}.get(last, last)


def collection_pieces(elements: tuple[Value, ...], frame: Frame) -> Iterator[Piece]:
    """The pieces of a list, tuple or set display."""
    for index, element in enumerate(elements):
        starred = isinstance(element, Item) and element.key is None and element.span == element.base.span
        yield Piece(f"[{OPEN}]" if starred else f"[{index}]", element, frame)


def label_of(key: Value | Thing | None) -> str | None:
    """How one gets at a piece by a constant, as it is written or evaluated; None for a key that is not known."""
    match key:
        case Constant(value=str() as name) | ConstantThing(value=str() as name):
            return f"['{name}']"
        case Constant(value=bool()) | ConstantThing(value=bool()):
            return None
        case Constant(value=int() as index) | ConstantThing(value=int() as index):
            return f"[{index}]"
        case _:
            return None


def counted(labels: tuple[str, ...], pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """The labels with those that count from the end ("[-1]") as the pieces are called; none if that is not known."""
    if not any(label.startswith("[-") for label in labels):
        return labels
    known = {piece.label for piece in pieces}
    items = [piece.label for piece in pieces if piece.is_item]
    if any(label in known for label in labels) or items != [f"[{index}]" for index in range(len(items))]:
        return labels if known.issuperset(labels) else ()
    places = (int(label[1:-1]) if label.startswith("[-") else None for label in labels)
    return tuple(
        label if place is None else f"[{len(items) + place}]" for label, place in zip(labels, places, strict=True)
    )


def excerpt(module: Module, value: Value, limit: int = 60) -> str:
    """The source of an expression on one line, cut to `limit`."""
    name = parameter_name(value)
    if name is not None:
        return name
    text = " ".join(module.document.text[value.span.start : value.span.end].split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def one_of(found: Sequence[Reached]) -> Sequence[Reached]:
    """The things one of which a value is. Which one does not matter if pickle can find none of them by its name."""
    if all(isinstance(each.thing, FunctionThing) and each.thing.is_nameless for each in found):
        return found
    return [each.doubted(Doubt.BRANCH) for each in found]


def gathered(pieces: Iterable[Piece], cuts: Cuts) -> tuple[Piece, ...]:
    """What a container holds that is put together from others, each piece once, and no more than are worth following:
    `x = x + x` in recursive functions doubles them without end. Of others, it is known that there are any."""
    once = list(islice(dict.fromkeys(pieces), ITEMS.most + 1))
    if len(once) > ITEMS.most:
        cuts.note(ITEMS)
        last = once[-1]
        once[-1] = Piece(f"[{OPEN}]", Value(last.value.span), last.frame)
    return tuple(once)


def distinct(found: Iterable[Reached], cuts: Cuts) -> Iterator[Reached]:
    """The things reached, each once, and no more than are worth following (of others, that there are any); plain data
    is told once, at the end."""
    seen: set[tuple[int, Site]] = set()
    plain: Reached | None = None
    count = 0
    for reached in found:
        if reached.thing is PLAIN:
            plain = plain or reached
            continue
        key = (id(reached.thing), reached.site)
        if len(reached.hops) > STEPS.most:
            cuts.note(STEPS)
        elif key not in seen:
            seen.add(key)
            yield reached
        count += 1
        if count > VALUES.most:
            cuts.note(VALUES)
            yield Reached(UNKNOWN, reached.site)
            break
    if plain is not None:
        yield plain
