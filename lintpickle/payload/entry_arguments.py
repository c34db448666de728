"""What the functions that workers begin with are given, as far as it is seen at the boundary."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER, BoundarySpec
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call, Expr
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    ContainerValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.frames import Arguments, expand
from lintpickle.interpreter.partials import PARTIAL
from lintpickle.payload.crossings import Crossing

UNKNOWN_ARGUMENTS = Arguments((), {}, True)
_POSITIONAL = {True: re.compile(r"initargs\[(\d+)\]"), False: re.compile(r"(?:args|iterables)\[(\d+)\]")}
_ARGS = re.compile(r"args\[(\d+)\]")
_KEYWORD = re.compile(r"(?:kwargs|kwds)\['(\w+)'\]")
_CALLED = "[0]"
"""What a partial calls, in a path from the boundary."""
_IN_PARTIALS = re.compile(rf"(?:{re.escape(_CALLED)})+")
_ITEMS = "iterable"
"""What the parent iterates: each item is the one argument of a call."""
_SPREAD = re.compile(rf"{_ITEMS}\[(\d+)\]")
"""The parts of such items, where each item is the arguments of a call."""
_EXECUTOR = "executor"
"""The kind of boundaries that pass their own keyword arguments on."""
_OBJECTS = (InstanceValue, ClassValue, FunctionValue, ExternalResult)
_NUMBERED = "spawn"
"""The kind of boundaries that give the number of the process first (torch 2.13, `torch.multiprocessing.spawn`)."""


def entry_arguments(function: Crossing, crossings: Sequence[Crossing]) -> Arguments:
    """The arguments with which workers call a function that crosses. Only objects, classes, functions and what
    libraries have made are bound, and containers of nothing else, each if nothing else crosses in its place: constants
    are others from one start to the next."""
    spec = function.root.spec
    if spec is None or function.role is None:
        return UNKNOWN_ARGUMENTS
    given = _arguments_of_boundary(spec, function.role, crossings)
    if function.path != function.role:
        return _arguments_of_partial(function, function.role, crossings, given)
    return given


def _arguments_of_boundary(spec: BoundarySpec, role: str, crossings: Sequence[Crossing]) -> Arguments:
    """What a boundary gives what it is told to call as a parameter."""
    is_spread = spec.spreads and role != INITIALIZER
    is_of_items = role != INITIALIZER and not is_spread
    form = _SPREAD if is_spread else _POSITIONAL[role == INITIALIZER]
    positional: dict[int, list[Crossing]] = {}
    keywords: dict[str, list[Crossing]] = {}
    for crossing in crossings:
        place = form.fullmatch(crossing.path)
        name = _KEYWORD.fullmatch(crossing.path)
        if place is not None:
            positional.setdefault(int(place[1]) + given_before(spec), []).append(crossing)
        elif name is not None and role != INITIALIZER:
            keywords.setdefault(name[1], []).append(crossing)
        elif spec.kind == _EXECUTOR and _is_keyword(crossing, spec):
            keywords.setdefault(crossing.path, []).append(crossing)
        elif crossing.path == crossing.role and crossing.role in spec.elements and is_of_items:
            positional.setdefault(0, []).append(crossing)
    is_of_one = is_of_items and _ITEMS in spec.elements
    most = max(positional, default=0 if is_of_one else -1) + 1
    return Arguments(
        tuple(_bound(positional.get(place, ()), crossings) for place in range(most)),
        {name: _bound(found, crossings) for name, found in keywords.items()},
        not is_of_one,
    )


def _arguments_of_partial(function: Crossing, role: str, crossings: Sequence[Crossing], rest: Arguments) -> Arguments:
    """What partials give the function that crosses in them, and the boundary the partial: the positional arguments of
    the inner one come first, and the keywords of the outer one are taken."""
    if not is_of_partial(function, crossings):
        return UNKNOWN_ARGUMENTS
    positional: list[Bound] = []
    keywords: dict[str, Bound] = {}
    is_counted = True
    for path, partial in _partials_around(function, role, crossings):
        given: dict[str, list[Crossing]] = {}
        form = re.compile(rf"{re.escape(path)}(?:\[(\d+)\]|\.(\w+))")
        for crossing in crossings:
            place = form.fullmatch(crossing.path)
            if place is not None and place[1] != "0":
                given.setdefault(place[1] or place[2], []).append(crossing)
        items = [slot.key.item for slot in partial.slots if slot.is_item]
        counted = list(takewhile(lambda item: isinstance(item, int), items)) if is_counted else []
        positional += (_bound(given.get(str(item), ()), crossings) for item in counted[1:])
        is_counted = is_counted and len(counted) == len(items)
        keywords |= {name: _bound(found, crossings) for name, found in given.items() if not name.isdecimal()}
    after = rest.positional if is_counted else ()
    return Arguments((*positional, *after), {**keywords, **rest.keywords}, True)


def is_of_partial(function: Crossing, crossings: Sequence[Crossing]) -> bool:
    """Whether a function crosses as that of which workers call a partial: `pool.map(partial(render, size=2), rows)`,
    which may be one of another partial."""
    role = function.role
    if role is None or _IN_PARTIALS.fullmatch(function.path.removeprefix(role)) is None:
        return False
    return len(_partials_around(function, role, crossings)) == function.path.count(_CALLED)


def is_given_to_partial(crossing: Crossing, crossings: Sequence[Crossing]) -> bool:
    """Whether something crosses as an argument that a partial keeps, which does not call it."""
    role = crossing.role
    if role is None or crossing.path == role or is_of_partial(crossing, crossings):
        return False
    around = (each.value for each in crossings if each.path == role)
    return any(isinstance(each, ContainerValue) and each.kind == PARTIAL for each in around)


def _partials_around(function: Crossing, role: str, crossings: Sequence[Crossing]) -> list[tuple[str, ContainerValue]]:
    """The partials in which a function crosses, from the inner to the outer one, with their paths; only those that are
    known to stand there."""
    path, around = function.path, list[tuple[str, ContainerValue]]()
    while path != role:
        path = path.removesuffix(_CALLED)
        found = [each.value for each in crossings if each.path == path]
        match found:
            case [ContainerValue(kind=kind) as partial] if kind == PARTIAL:
                around.append((path, partial))
    return around


def task_arguments(task: Call, frame: Frame, evaluator: Evaluator) -> Arguments:
    """The arguments that a call gives to a task; bound are the same things."""
    given = expand(task, frame, evaluator)
    return Arguments(
        tuple(_evaluated(each, evaluator) for each in given.positional),
        {name: _evaluated(each, evaluator) for name, each in given.keywords.items()},
        True,
    )


def given_before(spec: BoundarySpec) -> int:
    """How many arguments a boundary gives a function before those that it is told."""
    return int(spec.kind == _NUMBERED) or spec.before


def place_in_args(path: str) -> int | None:
    """At which place of `args` something stands, by its path from the boundary; None if it stands elsewhere."""
    found = _ARGS.fullmatch(path)
    return int(found[1]) if found is not None else None


def place_given(crossing: Crossing) -> int | None:
    """At which place of the arguments a function is given what crosses, also by way of what the parent iterates."""
    found = _POSITIONAL[False].fullmatch(crossing.path) or _SPREAD.fullmatch(crossing.path)
    if found is not None:
        return int(found[1])
    return 0 if crossing.path == _ITEMS else None


def objects_given_first(function: Crossing, crossings: Sequence[Crossing]) -> Iterator[InstanceValue]:
    """The objects that a function which crosses may be given as its first argument."""
    spec = function.root.spec
    if spec is None:
        return
    for each in crossings:
        is_of_item = each.path.startswith(f"{_ITEMS}[") and not spec.spreads
        if isinstance(each.value, InstanceValue) and place_given(each) == 0 and not is_of_item:
            yield each.value


def parameter_at(place: int, function: FunctionFacts, spec: BoundarySpec) -> str | None:
    """The name of the parameter that gets the argument at a place of `args`, in the function that a boundary calls."""
    named = [each.name for each in function.parameters if each.kind in ("positional", "positional-only")]
    is_bound = "." in function.qualname and not function.is_local and not function.decorated_by("staticmethod")
    at = place + given_before(spec) + is_bound
    return named[at] if at < len(named) else None


def written_for(name: str, function: FunctionFacts, boundary: BoundaryCall) -> tuple[Expr, Frame] | None:
    """What a boundary gives a parameter of the function that it calls, with its frame, where `args=(…)` lists it."""
    for place, given in enumerate(boundary.written_args):
        if parameter_at(place, function, boundary.spec) == name:
            return given
    return None


def _is_keyword(crossing: Crossing, spec: BoundarySpec) -> bool:
    is_one = crossing.path == crossing.role and crossing.role.isidentifier()
    return is_one and crossing.role not in spec.parameters


def _evaluated(given: Bound, evaluator: Evaluator) -> Bound:
    if given.value is not None or given.expr is None or given.frame is None:
        return _one([given.value] if given.value is not None else [])
    return _one([each.value for each in evaluator.evaluate(given.expr, given.frame)])


def _bound(found: Sequence[Crossing], crossings: Sequence[Crossing] = ()) -> Bound:
    """What is bound to a parameter: the object, if it is one, or are all of one class; a container, if all that crosses
    in it are objects, classes, functions and what libraries have made."""
    match found:
        case [Crossing(value=ContainerValue() as container, path=path)]:
            element = re.compile(rf"{re.escape(path)}\[[^\]]*\]")
            held = [each.value for each in crossings if element.fullmatch(each.path)]
            return Bound(value=container) if held and all(isinstance(each, _OBJECTS) for each in held) else Bound()
        case _:
            return _one([each.value for each in found])


def _one(values: Sequence[AbstractValue]) -> Bound:
    match values:
        case [InstanceValue() | ClassValue() | FunctionValue() | ExternalResult() as value]:
            return Bound(value=value)
        case [InstanceValue() as first, *others]:
            is_one = all(isinstance(each, InstanceValue) and each.class_.facts is first.class_.facts for each in others)
            return Bound(value=first) if is_one else Bound()
        case _:
            return Bound()
