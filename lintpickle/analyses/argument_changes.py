"""Empty lists, dicts and arrays that a function fills in a worker, which gets copies of them, and that the code which
starts the workers reads afterwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.values import external_names
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import ItemStore
from lintpickle.facts.values import Call, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, ContainerValue
from lintpickle.parsing.syntax import BrokenSyntax, parse_expression
from lintpickle.payload.entry_arguments import given_before
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"process", "pool", "executor", "spawn"})
_CONTAINERS = frozenset({"list", "dict", "set", "defaultdict", "OrderedDict", "Counter", "deque"})
_ARRAYS = re.compile(r"numpy\.(?:zeros|empty|full|memmap)(?:_like)?")
"""What is made to be filled."""
_PLACE = re.compile(r"args\[(\d+)\]")


class ArgumentChanged(Struct, frozen=True):
    """A parameter that a function of workers changes, at a place, and what the main process calls what it is given."""

    function: WorkerFunction
    parameter: str
    given: str
    span: Span
    reader: str


def arguments_changed(code: WorkerCode, linker: Linker) -> Iterator[ArgumentChanged]:
    """The changes that are lost: the function does not give the argument back, and the code behind the boundary reads
    it."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.frame.module.first_party:
        return
    for function in code.functions:
        if not function.entry or not function.module.first_party or function.facts.is_generator:
            continue
        for place, value in _given(boundary, linker):
            parameter = _parameter(place, function, boundary)
            span = _changed(parameter, function) if parameter is not None else None
            given = _variable(place, boundary) if span is not None else None
            if parameter is None or span is None or given is None:
                continue
            if not (_is_empty(value) or _is_new_array(given, boundary, linker)):
                continue
            if not _is_read_later(given, boundary, linker):
                continue
            starter = boundary.frame.function
            reader = "the main guard" if starter.is_module_body else f"`{starter.name}()`"
            yield ArgumentChanged(function, parameter, given, span, reader)


def _given(boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[int, AbstractValue]]:
    """The arguments by their places."""
    for crossing in linker.shipped_by(boundary):
        found = _PLACE.fullmatch(crossing.path)
        if found is not None:
            yield int(found[1]), crossing.value


def _is_empty(value: AbstractValue) -> bool:
    """Whether it is an empty container: one that has something may be changed by each worker for itself."""
    return isinstance(value, ContainerValue) and value.kind in _CONTAINERS and not value.slots


def _is_new_array(name: str, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a variable is nothing but an array without values yet."""
    value = boundary.frame.function.variables.get(name)
    made = without_narrowing(value) if value is not None else None
    if not isinstance(made, Call):
        return False
    return any(_ARRAYS.fullmatch(path) for path in external_names(made.function, boundary.frame, linker))


def _parameter(place: int, function: WorkerFunction, boundary: BoundaryCall) -> str | None:
    facts = function.facts
    named = [each.name for each in facts.parameters if each.kind in ("positional", "positional-only")]
    first = given_before(boundary.spec) + ("." in facts.qualname and not facts.is_local)
    return named[place + first] if place + first < len(named) else None


def _changed(parameter: str, function: WorkerFunction) -> Span | None:
    """Where a function puts something into what a parameter holds; None if it binds the name anew, or gives it back."""
    facts = function.facts
    if parameter in facts.variables or any(_is_it(each, parameter) for each in facts.returns):
        return None
    for event in facts.events:
        if isinstance(event, ItemStore) and _is_it(event.target, parameter):
            return event.span
    return None


def _is_it(value: Expr, parameter: str) -> bool:
    inner = without_narrowing(value)
    return isinstance(inner, Parameter) and inner.name == parameter


def _variable(place: int, boundary: BoundaryCall) -> str | None:
    """The local variable that is passed at a place of `args=(…)`, or to `submit`."""
    span = boundary.call.span
    try:
        call = parse_expression(boundary.frame.module.code[span.start : span.end])
    except BrokenSyntax:
        return None
    if not isinstance(call, ast.Call):
        return None
    named = next((each.value for each in call.keywords if each.arg == "args"), None)
    if named is None and boundary.spec.kind in ("pool", "spawn") and len(call.args) > 1:
        named = call.args[1]
    given = named.elts if isinstance(named, (ast.Tuple, ast.List)) else call.args[1:] if named is None else []
    found = given[place] if place < len(given) else None
    return found.id if isinstance(found, ast.Name) else None


def _is_read_later(name: str, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether code behind the boundary uses the variable for more than to pass it to workers."""
    module, starter = boundary.frame.module, boundary.frame.function
    others = [each.site.span for each in linker.boundary_calls() if each.frame.function is starter]
    uses = re.finditer(rf"(?<![\w.]){re.escape(name)}\b(?!\s*=[^=])", module.code[: starter.span.end])
    later = (use.start() for use in uses if use.start() >= boundary.call.span.end)
    return any(not any(span.start <= use < span.end for span in others) for use in later)
