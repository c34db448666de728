"""Code that runs in several workers: tasks of a pool or executor, and processes that are started in a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Parameter
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ConstantValue, Site
from lintpickle.parsing.syntax import INNER_SCOPES, arguments_of
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"process", "pool", "executor"})
_ONE_TASK = frozenset({"apply", "apply_async", "submit", "schedule", "run_in_executor"})
WORKER_COUNTS = ("processes", "max_workers")
"""The arguments that say how many workers a pool or an executor has."""
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def run_in_several(code: WorkerCode, linker: Linker) -> bool:
    """Whether more than one worker runs the functions, as far as is seen."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or boundary.spec.only_starts:
        return False
    if is_of_one_task(boundary) and all(loop_around(site) is None for site in code.way):
        return False
    return not any(_has_one(each, linker) for each in linker.makers_of(boundary))


def is_of_one_task(boundary: BoundaryCall) -> bool:
    """Whether the call gives work to one worker only."""
    return boundary.spec.kind == "process" or boundary.spec.name in _ONE_TASK


def has_one_worker(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the pool or executor whose method a boundary is has one worker only, whatever callers ask for."""
    return any(_has_one(each, linker) and not _is_by_default(each) for each in linker.makers_of(boundary))


def _is_by_default(maker: BoundaryCall) -> bool:
    """Whether the number is a parameter that no caller is seen to give."""
    given = (maker.arguments.get(name) for name in WORKER_COUNTS)
    numbers = [(each.expr, each.frame) for each in given if each is not None and each.frame is not None]
    return any(isinstance(each, Parameter) and each.name not in frame.bindings for each, frame in numbers)


def _has_one(maker: BoundaryCall, linker: Linker) -> bool:
    values = [traced.value for name in WORKER_COUNTS for traced in maker.value(name, linker.evaluator)]
    return bool(values) and all(isinstance(each, ConstantValue) and each.value == 1 for each in values)


def loop_around(site: Site) -> Span | None:
    """What runs again and again around a place of a function: the body of a loop, or a comprehension."""
    return site.module.remembered(("loop around", site.span.start), lambda: _find_loop_around(site))


def _find_loop_around(site: Site) -> Span | None:
    source = source_tree(site.module.code)
    found: Span | None = None
    for node in source.nodes_within(_statement_around(site)) if source is not None else ():
        if not isinstance(node, (ast.For, ast.AsyncFor, ast.While, *_COMPREHENSIONS, *INNER_SCOPES)):
            continue
        assert source is not None
        span = source.span(node)
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            span = Span(source.span(node.body[0]).start, source.span(node.body[-1]).end)
        if span.start <= site.span.start < span.end:
            if isinstance(node, INNER_SCOPES):
                found = None
            elif found is None:
                found = span
    return found


def _statement_around(site: Site) -> Span:
    """The statement of the module in which a place stands, with all that it defines."""
    block = site.module.outline.block_at(site.span.start)
    return block.span if block is not None else Span(0, len(site.module.code))


def is_given_each_round(site: Site) -> bool:
    """Whether a call at a place is given something of the loop or comprehension around it: another thing each time."""
    source = source_tree(site.module.code)
    around = [
        node
        for node in (source.nodes_within(_statement_around(site)) if source is not None else ())
        if isinstance(node, (ast.Call, ast.For, ast.AsyncFor, *_COMPREHENSIONS, *INNER_SCOPES))
        and source is not None
        and source.span(node).start <= site.span.start < source.span(node).end
    ]
    call = next((node for node in reversed(around) if isinstance(node, ast.Call)), None)
    targets: set[str] = set()
    for node in around:
        if isinstance(node, INNER_SCOPES):
            targets.clear()
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            targets |= set(_names(node.target))
        elif isinstance(node, _COMPREHENSIONS):
            targets.update(name for each in node.generators for name in _names(each.target))
    given = arguments_of(call) if call is not None else []
    return any(not targets.isdisjoint(_names(each)) for each in given)


def _names(tree: ast.expr) -> Iterator[str]:
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def initializers(code: WorkerCode, linker: Linker) -> Iterator[WorkerFunction]:
    """The functions with which the pool or executor begins in each worker."""
    if code.boundary is not None:
        for each in linker.worker_codes_of_makers(code.boundary):
            yield from each.functions
