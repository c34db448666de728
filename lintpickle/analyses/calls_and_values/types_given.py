"""What makes the values that workers are given and reckon with: of `price / 7` in what a worker calls, the
`decimal.Decimal` that the task has in that place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.shown_values import values_reckoned_with
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Constant, Expr, Item, Parameter, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.parsing.syntax import BrokenSyntax, dotted, parse
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_MOST_ARGUMENTS = 8
_MOST_STEPS = 6
"""Through how many calls and items a value is followed back to what a worker is given."""

Given = tuple[Expr, Frame]


def makers_given(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[tuple[str, Span, set[str]]]:
    """What a function of workers reckons with of what they are given: how it is written, where it stands, and the paths
    of the calls that have made it in the main process (`decimal.Decimal`)."""
    source = source_tree(function.module.code)
    given = list(_given_to_entries(code)) if source is not None else []
    if source is None or not given:
        return
    for side, is_item in values_reckoned_with(source.nodes_within(function.facts.span)):
        read = _read(side, function)
        value = _origin(Item(read.span, read, None) if is_item else read, function.frame, given, 0) if read else None
        if value is None:
            continue
        found = (_maker(traced.site) for traced in linker.evaluate(*value))
        paths = {path for path in found if path is not None}
        if paths:
            yield ast.unparse(side), source.span(side), paths


def given_in_main(value: Expr, function: WorkerFunction, code: WorkerCode) -> Given | None:
    """What a function of workers has for a parameter, or a part of one, as the main process writes it; None if that is
    not seen."""
    return _origin(value, function.frame, list(_given_to_entries(code)), 0)


def _given_to_entries(code: WorkerCode) -> Iterator[tuple[Frame, str, Given]]:
    """What the functions with which workers begin get for their parameters, as it is written in the main process."""
    boundary = code.boundary
    if boundary is None:
        return
    spread = boundary.spec.spreads
    items = [boundary.arguments[role] for role in boundary.spec.elements if role in boundary.arguments]
    tasks = [(each.expr, each.frame) for each in items if each.expr is not None and each.frame is not None]
    for function in code.functions:
        if not function.entry:
            continue
        for place in range(_MOST_ARGUMENTS):
            name = parameter_at(place, function.facts, boundary.spec)
            if name is None:
                break
            for expr, frame in tasks[:1] if spread or place == 0 else ():
                task = Item(expr.span, expr, None)
                part = Item(expr.span, task, Constant(expr.span, place)) if spread else task
                yield function.frame, name, (part, frame)
            roles = (f"{star}[{place}]" for star in ("args", "iterables"))
            one = next(((role, boundary.arguments[role]) for role in roles if role in boundary.arguments), None)
            several = boundary.arguments.get("args")
            if one is not None and one[1].expr is not None and one[1].frame is not None:
                value = one[1].expr
                given: Expr = Item(value.span, value, None) if boundary.is_iterated(one[0]) else value
                yield function.frame, name, (given, one[1].frame)
            elif several is not None and several.expr is not None and several.frame is not None:
                value = several.expr
                yield function.frame, name, (Item(value.span, value, Constant(value.span, place)), several.frame)


def _read(side: ast.expr, function: WorkerFunction) -> Expr | None:
    """The value of a name or an item of one, as the facts of a function have it."""
    match side:
        case ast.Name(id=name) if name in function.facts.variables:
            return function.facts.variables[name]
        case ast.Name(id=name) if any(each.name == name for each in function.facts.parameters):
            return Parameter(function.facts.header, name, function.facts.qualname)
        case ast.Subscript(value=base, slice=ast.Constant(value=str() | int() as key)):
            inner = _read(base, function)
            return Item(inner.span, inner, Constant(inner.span, key)) if inner is not None else None
        case _:
            return None


def _origin(expr: Expr, frame: Frame, given: list[tuple[Frame, str, Given]], depth: int) -> Given | None:
    """The same value as it is written in the main process; None if it is nothing that workers are given."""
    if depth > _MOST_STEPS:
        return None
    match without_narrowing(expr):
        case Parameter(name=name):
            found = next((value for where, parameter, value in given if where is frame and parameter == name), None)
            bound = frame.bindings.get(name)
            if found is not None or bound is None or bound.expr is None or bound.frame is None:
                return found
            return _origin(bound.expr, bound.frame, given, depth + 1)
        case Item(base=base, key=key, span=span):
            outer = _origin(base, frame, given, depth + 1)
            return (Item(span, outer[0], key), outer[1]) if outer is not None else None
        case Attribute(base=base, name=name, span=span):
            outer = _origin(base, frame, given, depth + 1)
            return (Attribute(span, outer[0], name), outer[1]) if outer is not None else None
        case _:
            return None


def _maker(site: Site) -> str | None:
    """The path of the call that stands at a place."""
    try:
        tree = parse(site.module.code[site.span.start : site.span.end])
    except BrokenSyntax:
        return None
    match tree.body:
        case [ast.Expr(value=ast.Call(func=function))] if dotted(function):
            return imported_path(tuple(dotted(function).split(".")), site.module)
        case _:
            return None
