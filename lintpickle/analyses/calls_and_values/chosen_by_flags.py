"""What is taken of one of several objects of which a test asks something: `if command.heavy: run(command.function)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.claims import Claim
from lintpickle.control_flow.steps import start_of
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Constant, Expr, Item, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ConstantValue,
    ContainerValue,
    Frame,
    Site,
    Slot,
    TracedValue,
)
from lintpickle.interpreter.partials import PARTIAL, without_partials
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker

_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")


def left_by_tests(value: Expr, place: Span, frame: Frame, linker: Linker) -> tuple[AbstractValue, ...]:
    """What a value can be at a place in its frame. Of several values, only those remain of which it is known that the
    tests before that ask for them come out so."""
    values = linker.evaluate(value, frame)
    claims = linker.conditions.claims_before(place, frame) if len(values) > 1 else ()
    about = [each for each in claims if _is_about(each, value, frame)]
    if not about:
        return tuple(traced.value for traced in values)
    part = _part(value)
    if part is None:
        return ()
    site = Site(frame.module, value.span)
    written = frame.module.code[value.span.start : value.span.end].rpartition(".")[0].strip()
    return tuple(
        traced.value
        for each in linker.evaluate(part.record, frame)
        if all(_is_known_of(each, claim, part, written, site, frame, linker) for claim in about)
        for traced in _of(each, part, site, frame, linker)
    )


def called_by_boundary(role: str, boundary: BoundaryCall, linker: Linker) -> Iterator[AbstractValue]:
    """What a boundary is given as one of its parameters, as far as the tests before it leave that, with what they call
    in the place of partial objects."""
    bound = boundary.arguments.get(role, Bound())
    if bound.expr is not None and bound.frame is boundary.frame:
        yield from _called_by_tests(bound.expr, boundary.call.span, boundary.frame, linker)
    else:
        for traced in without_partials(boundary.value(role, linker.evaluator), linker.evaluator):
            yield traced.value


def _called_by_tests(
    value: Expr, place: Span, frame: Frame, linker: Linker, inside: tuple[Expr, ...] = ()
) -> Iterator[AbstractValue]:
    """What is left by tests, without the partial objects; `inside` are what those around the value call."""
    for given in left_by_tests(value, place, frame, linker):
        match given:
            case ContainerValue(kind=kind, slots=(Slot(value=called, frame=home), *_)) if kind == PARTIAL:
                if called not in inside and home is frame:
                    yield from _called_by_tests(called, place, frame, linker, (*inside, called))
                elif called not in inside:
                    found = without_partials(linker.evaluate(called, home), linker.evaluator, (*inside, called))
                    yield from (traced.value for traced in found)
            case _:
                yield given


class _Part(Struct, frozen=True):
    """What is taken of a record: an attribute, or an item."""

    record: Expr
    name: str | None = None
    key: Expr | None = None


def _part(value: Expr) -> _Part | None:
    match without_narrowing(value):
        case Attribute(base=base, name=name):
            return _Part(without_narrowing(base), name=name)
        case Item(base=base, key=Constant() as key):
            return _Part(without_narrowing(base), key=key)
        case _:
            return None


def _of(record: TracedValue, part: _Part, site: Site, frame: Frame, linker: Linker) -> Iterable[TracedValue]:
    if part.name is not None:
        return linker.evaluator.attribute(record, part.name, site, frame)
    return linker.evaluator.item_of(record, part.key, site, frame)


def _is_known_of(
    record: TracedValue, claim: Claim, part: _Part, written: str, site: Site, frame: Frame, linker: Linker
) -> bool:
    """Whether another part of the record of which one is taken is known to be as a test says of that which was chosen;
    `written` is how that is written where it is taken."""
    test = claim.test.left if claim.compare is not None and isinstance(claim.test, ast.Compare) else claim.test
    flag = _asked(test, part.record, written, frame)
    found = [traced.value for traced in _of(record, flag, site, frame, linker)] if flag is not None else []
    return bool(found) and all(isinstance(each, ConstantValue) and claim.allows(each.value) for each in found)


def _asked(test: ast.expr, record: Expr, written: str, frame: Frame) -> _Part | None:
    """The part of a record which a test asks for: `command.heavy`, `command["heavy"]`, or a variable for it."""

    def is_it(owner: ast.expr) -> bool:
        is_held = isinstance(owner, ast.Name) and _variable(owner.id, frame) is record
        return is_held or ast.unparse(owner) == written

    match test:
        case ast.Attribute(value=owner, attr=name) if is_it(owner):
            return _Part(record, name=name)
        case ast.Subscript(value=owner, slice=ast.Constant(value=key)) if is_it(owner):
            return _Part(record, key=Constant(record.span, key))
        case ast.Name(id=name):
            held = _variable(name, frame)
            part = _part(held) if held is not None else _bound_by_loop(name, record, frame)
            return part if part is not None and part.record is record else None
        case _:
            return None


def _bound_by_loop(name: str, record: Expr, frame: Frame) -> _Part | None:
    """The part of a record that a loop binds to a variable where it takes that apart: `for name, run, heavy in …`."""
    places, place = [], record
    while isinstance(place, Item) and isinstance(place.key, Constant):
        places.append(place.key.value)
        place = without_narrowing(place.base)
    for loop in _loops(frame):
        found = next(_places(name, loop.target), None)
        is_same = found is not None and isinstance(place, Item) and place.key is None
        if is_same and frame.paths.offset(start_of(loop.iter)) == place.span.start:
            *before, last = found or (None,)
            return _Part(record, key=Constant(record.span, last)) if before == places[::-1] else None
    return None


def _loops(frame: Frame) -> Iterator[ast.For | ast.AsyncFor | ast.comprehension]:
    for node in within(frame.paths.tree):
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            yield node


def _places(name: str, target: ast.expr) -> Iterator[tuple[int, ...]]:
    """By which numbers of parts a variable is bound in the target of a loop."""
    match target:
        case ast.Name(id=bound) if bound == name:
            yield ()
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for place, each in enumerate(parts):
                yield from ((place, *inner) for inner in _places(name, each))
        case _:
            pass


def _variable(name: str, frame: Frame) -> Expr | None:
    held = frame.function.variables.get(name)
    return without_narrowing(held) if held is not None else None


def _is_about(claim: Claim, value: Expr, frame: Frame) -> bool:
    """Whether a test names a variable by which a value is written, or both name one of which they are made."""
    code = frame.module.code
    asked = {node.id for node in within(claim.test) if isinstance(node, ast.Name)}
    written = set(_NAME.findall(code[value.span.start : value.span.end]))
    if not _with_parts(asked, frame).isdisjoint(_with_parts(written, frame)):
        return True
    part = _part(value)
    return part is not None and any(_bound_by_loop(name, part.record, frame) is not None for name in asked)


def _with_parts(names: set[str], frame: Frame) -> set[str]:
    """Names, with those of which the variables are made that they stand for."""
    variables = frame.function.variables
    made = (variables[name].span for name in names if name in variables)
    return names.union(*(_NAME.findall(frame.module.code[span.start : span.end]) for span in made))
