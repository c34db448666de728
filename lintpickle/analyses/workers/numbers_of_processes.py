"""Whether the number of a process with which a function of workers compares is one that the main process has taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.given_values import given_by_attribute
from lintpickle.analyses.calls_and_values.values import resolves_to
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Attribute, Call, Collection, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_TAKING = frozenset({"os.getpid"})
_STEPS = 8
_ITEMS = frozenset({"iterable", "iterables[0]"})


def taken_by_main(written: ast.expr, function: WorkerFunction, code: WorkerCode, linker: Linker) -> Site | None:
    """Where code that no worker runs takes the number of its process, if what a function compares with can only be
    that."""
    named = _named(written, function)
    return _taken(named, function.frame, code, linker, 0) if named is not None else None


def _named(written: ast.expr, function: WorkerFunction) -> Expr | None:
    """A parameter or an attribute of one, which the function does not bind anew."""
    facts = function.facts
    match written:
        case ast.Name(id=name) if facts.parameter(name) is not None and name not in facts.variables:
            return Parameter(facts.header, name, facts.qualname)
        case ast.Attribute(value=owner, attr=name):
            base = _named(owner, function)
            return Attribute(facts.header, base, name) if base is not None else None
        case _:
            return None


def _taken(value: Expr, frame: Frame, code: WorkerCode, linker: Linker, steps: int) -> Site | None:
    value = without_narrowing(value)
    if steps == _STEPS:
        return None
    if isinstance(value, Call):
        is_of_worker = any(each.facts is frame.function for each in code.functions)
        is_number = not is_of_worker and resolves_to(value.function, frame, linker, _TAKING)
        return Site(frame.module, value.span) if is_number else None
    found = [_taken(each, inner, code, linker, steps + 1) for each, inner in _sources(value, frame, code, linker)]
    return found[0] if found and None not in found else None


def _sources(value: Expr, frame: Frame, code: WorkerCode, linker: Linker) -> Iterator[tuple[Expr, Frame]]:
    """The expressions that give a parameter, or an attribute, what it has."""
    match value:
        case Parameter(name=name, owner=owner):
            home = frame.enclosing(owner)
            bound = home.bindings.get(name) if home is not None else None
            if bound is not None and bound.expr is not None and bound.frame is not None:
                yield bound.expr, bound.frame
            else:
                yield from _given(name, frame.function, code)
        case Attribute(base=base, name=name):
            yield from given_by_attribute(base, name, frame, linker)
        case _:
            pass


def _given(name: str, facts: FunctionFacts, code: WorkerCode) -> Iterator[tuple[Expr, Frame]]:
    """What a boundary gives a parameter of the function that its workers begin with, as far as it is written there."""
    boundary = code.boundary
    if boundary is None or not any(each.entry and each.facts is facts for each in code.functions):
        return
    for argument, bound in boundary.arguments.items():
        if bound.expr is None or bound.frame is None:
            continue
        for place, value in _placed(argument, without_narrowing(bound.expr)):
            if parameter_at(place, facts, boundary.spec) == name:
                yield value, bound.frame


def _placed(argument: str, value: Expr) -> Iterator[tuple[int, Expr]]:
    """The arguments of a function by their places, of those by which a boundary is told them."""
    place = place_in_args(argument)
    match value:
        case Collection(elements=elements) if argument == "args":
            yield from enumerate(elements)
        case Collection(elements=elements) if argument in _ITEMS:
            yield from ((0, each) for each in elements)
        case _ if place is not None:
            yield place, value
        case _:
            pass
