"""What is seen to be a text: literals, what methods of texts give, and elements of what holds nothing but texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.text_makers import holds_made_texts, is_made_text
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import (
    Attribute,
    Call,
    Captured,
    Collection,
    Comprehension,
    Constant,
    Data,
    Expr,
    Item,
    Name,
    Parameter,
    Sum,
    ending_name,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ConstantValue, DataValue, Frame, FunctionValue, InstanceValue
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

TEXT_METHODS = frozenset(
    {"lower", "upper", "strip", "lstrip", "rstrip", "casefold", "title", "encode", "decode", "format", "hexdigest"}
    | {"isoformat", "as_posix", "tobytes", "removeprefix", "removesuffix", "strftime", "zfill", "capitalize"}
    | {"as_uri", "read_text", "swapcase", "expandtabs", "ljust", "rjust"}
)
"""Methods that give texts or bytes, whatever has them."""
_SPLITTING = frozenset({"split", "rsplit", "splitlines", "partition", "rpartition", "findall"})
"""Methods of texts, and of patterns, that give several texts."""
_KEEPING = frozenset({"list", "tuple", "set", "frozenset", "sorted", "reversed", "Counter", "deque", "iter"})
"""What gives the elements of what it is given."""
_STEPS = 8
_ARGUMENTS, _MAPPED = "args", "iterables"
_ROLE = re.compile(r"(args|iterables)\[(\d+)\]")


class _Seen(Struct, frozen=True):
    """What is asked: the program, and the workers, if it is what runs in some."""

    linker: Linker
    code: WorkerCode | None


def is_seen_text(value: Expr, frame: Frame, linker: Linker, code: WorkerCode | None = None) -> bool:
    """Whether all that an expression can be is a text, as far as it is seen; what is not known is none. In what runs in
    workers (`code`), the functions with which they begin have what the main process sends them."""
    return _is_seen(value, frame, _Seen(linker, code), _STEPS)


def _is_seen(value: Expr, frame: Frame, seen: _Seen, steps: int) -> bool:
    options = [without_narrowing(each) for each in options_of(without_narrowing(value))] if steps else []
    return bool(options) and all(_is_text(each, frame, seen, steps - 1) for each in options)


def _is_text(value: Expr, frame: Frame, seen: _Seen, steps: int) -> bool:
    match value:
        case Data(kind=kind):
            return kind == "str"
        case Call(function=Attribute(name=name)) if name in TEXT_METHODS:
            return True
        case Sum(parts=parts):
            return any(_is_seen(part, frame, seen, steps) for part in parts)
        case Parameter() | Captured():
            found = _given(value, frame, seen)
            return found is not None and _is_seen(*found, seen, steps)
        case Item(base=base, key=None):
            return _are_texts(base, frame, seen, steps)
        case Item(base=Call(function=Attribute(name=name)), key=Constant(value=int())) if name in _SPLITTING:
            return True
        case _:
            if is_made_text(value, frame, seen.linker) or _are_values_texts(value, frame, seen):
                return True
            kept = [*_kept(value, frame, seen)] if isinstance(value, Attribute) else []
            return bool(kept) and all(_is_seen(*each, seen, steps) for each in kept)


def _are_values_texts(value: Expr, frame: Frame, seen: _Seen) -> bool:
    found = [traced.value for traced in seen.linker.evaluate(value, frame)]
    return bool(found) and all(
        (isinstance(each, ConstantValue) and isinstance(each.value, (str, bytes)))
        or (isinstance(each, DataValue) and each.kind == "str")
        for each in found
    )


def _kept(read: Attribute, frame: Frame, seen: _Seen) -> Iterator[tuple[Expr, Frame]]:
    """What the methods of an object keep in an attribute, each with the frame in which it stands."""
    for traced in seen.linker.evaluate(read.base, frame):
        if isinstance(traced.value, InstanceValue):
            for held in seen.linker.classes.states.state(traced.value):
                if held.attribute == read.name and held.direct:
                    yield held.value, held.frame


def _are_texts(container: Expr, frame: Frame, seen: _Seen, steps: int) -> bool:
    """Whether all elements of a container are texts, as far as is seen."""
    if not steps:
        return False
    options = [without_narrowing(each) for each in options_of(without_narrowing(container))]
    return bool(options) and all(_holds_texts(each, frame, seen, steps - 1) for each in options)


def _holds_texts(container: Expr, frame: Frame, seen: _Seen, steps: int) -> bool:
    match container:
        case Call(function=Attribute(name=name)) if name in _SPLITTING:
            return True
        case Call(function=function, arguments=(given, *_)) if ending_name(function) in _KEEPING and not given.star:
            return _are_texts(given.value, frame, seen, steps)
        case Collection(elements=elements):
            return bool(elements) and all(_is_seen(each, frame, seen, steps) for each in elements)
        case Comprehension(kind=kind, element=element) if kind != "dict":
            return _is_seen(element, frame, seen, steps)
        case Parameter() | Captured():
            found = _given(container, frame, seen)
            return found is not None and _are_texts(*found, seen, steps)
        case Name(name=name):
            bindings = list(seen.linker.evaluator.names.lookup(frame.module, name))
            homes = [(each.value, each.module, each.block) for each in bindings]
            return bool(homes) and all(
                value is not None
                and module is not None
                and block is not None
                and _are_texts(value, seen.linker.evaluator.module_frame(module, block.body), seen, steps)
                for value, module, block in homes
            )
        case Call() if holds_made_texts(container, frame, seen.linker):
            return True
        case Call(function=function):
            called = [traced.value for traced in seen.linker.evaluate(function, frame)]
            return bool(called) and all(_gives_texts(each, container, frame, seen, steps) for each in called)
        case _:
            return False


def _gives_texts(called: object, call: Call, frame: Frame, seen: _Seen, steps: int) -> bool:
    """Whether a function of the program returns, or yields, nothing but texts in a container."""
    if not isinstance(called, FunctionValue):
        return False
    inner, facts = seen.linker.evaluator.enter(called, call, frame), called.facts
    if inner is None:
        return False
    if facts.is_generator:
        return _all_texts(facts.yields, inner, seen, steps)
    return bool(facts.returns) and all(_are_texts(each, inner, seen, steps) for each in facts.returns)


def _all_texts(values: Iterable[Expr], frame: Frame, seen: _Seen, steps: int) -> bool:
    found = list(values)
    return bool(found) and all(_is_seen(each, frame, seen, steps) for each in found)


def _given(value: Parameter | Captured, frame: Frame, seen: _Seen) -> tuple[Expr, Frame] | None:
    """What a parameter, or a variable of a function around, was given in a frame, or by the main process."""
    home = frame.enclosing(value.owner)
    if home is None:
        return None
    bound = home.bindings.get(value.name)
    if bound is not None and bound.expr is not None and bound.frame is not None:
        return bound.expr, bound.frame
    sent = _sent(value.name, home, seen.code)
    if sent is not None:
        return sent
    stored = home.function.variables.get(value.name) if isinstance(value, Captured) else None
    return (stored, home) if stored is not None else None


def _sent(name: str, frame: Frame, code: WorkerCode | None) -> tuple[Expr, Frame] | None:
    """What the main process sends for a parameter of a function with which workers begin: an argument, or an element of
    what it maps."""
    if code is None or code.boundary is None or code.root.spec is None:
        return None
    if not any(each.entry and each.facts is frame.function for each in code.functions):
        return None
    for place, value, home in _arguments(code.boundary):
        if parameter_at(place, frame.function, code.root.spec) == name:
            return value, home
    return None


def _arguments(boundary: BoundaryCall) -> Iterator[tuple[int, Expr, Frame]]:
    """The arguments that a boundary sends to a function, each with its place; of what is mapped, an element."""
    for role, bound in boundary.arguments.items():
        value, found = bound.expr, _ROLE.fullmatch(role)
        if value is None or bound.frame is None:
            continue
        if found is not None:
            is_element = found[1] == _MAPPED
            yield int(found[2]), Item(value.span, value, None) if is_element else value, bound.frame
        elif role == _ARGUMENTS and isinstance(given := without_narrowing(value), Collection):
            yield from ((place, each, bound.frame) for place, each in enumerate(given.elements))
