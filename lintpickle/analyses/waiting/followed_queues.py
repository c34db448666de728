"""Queues followed from the call that makes them to the functions of workers that use them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.fixes.syntax import SourceTree
from lintpickle.interpreter.abstract_values import AbstractValue, ExternalResult, Frame, ProductValue
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_QUEUE, _PROXY = "mp-queue", "multiprocessing.managers.BaseProxy"
"""The kind of queues of processes in the catalog, and what queues of managers are there."""
_PART = re.compile(r"(\w+\[[^\]]+\])(\.\w+|\['\w+'\])")
"""The path of what an argument holds."""
_KEYWORD = re.compile(r"kwargs\['(\w+)'\]")


class GivenQueue(Struct, frozen=True):
    """A queue that workers get, the call that makes it, and its place in `args`; None if it does not stand there."""

    value: ProductValue
    made: Call
    place: int | None


def queue_made(value: AbstractValue) -> tuple[Call, Frame] | None:
    """The call that makes a queue of processes, with its frame; None if the value is none."""
    match value:
        case ProductValue(call=Call() as call, frame=Frame() as frame) if value.product.kind == _QUEUE:
            return call, frame
        case ExternalResult(path=path, call=Call() as call, frame=Frame() as frame) if path == _PROXY:
            return call, frame
        case _:
            return None


def queues_given(boundary: BoundaryCall, linker: Linker) -> Iterator[GivenQueue]:
    """The queues of processes, but for those of managers, that a boundary gives its workers."""
    for crossing in linker.shipped_by(boundary):
        match crossing.value:
            case ProductValue(call=Call() as made) as value if value.product.kind == _QUEUE:
                yield GivenQueue(value, made, place_in_args(crossing.path))
            case _:
                pass


def may_be_queue(value: Expr, queue: Call, frame: Frame, linker: Linker) -> bool:
    """Whether an expression may give the queue of processes which a call makes."""
    made = (queue_made(each.value) for each in linker.evaluate(value, frame))
    return any(each is not None and each[0] is queue for each in made)


def definition_around(node: ast.expr, source: SourceTree) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The innermost function in which something stands."""
    place = source.span(node)
    inner: ast.FunctionDef | ast.AsyncFunctionDef | None = None
    for each in source.nodes:
        if isinstance(each, FUNCTIONS) and source.span(each).contains(place):
            inner = each
    return inner


def users_of_queue(
    path: str, queue: Call, methods: frozenset[str], code: WorkerCode, linker: Linker
) -> Iterator[tuple[WorkerFunction, str]]:
    """The functions of workers that may call such methods of the queue which `queue` makes, and which crosses by that
    path, each with how it is written there: as a parameter, or as what is evaluated to it."""
    held = _PART.fullmatch(path)
    given, part = (held[1], held[2]) if held is not None else (path, "")
    place, keyword = place_in_args(given), _KEYWORD.fullmatch(given)
    for function in code.functions:
        if not function.module.first_party:
            continue
        parameter = keyword[1] if keyword is not None and function.entry else None
        if place is not None and function.entry and code.boundary is not None:
            parameter = parameter_at(place, function.facts, code.boundary.spec)
        if parameter is not None:
            yield function, f"{parameter}{part}"
            continue
        for event in function.facts.events:
            match event:
                case Called(call=Call(function=Attribute(base=base, name=name))) if name in methods:
                    values = [each.value for each in linker.evaluate(base, function.frame)]
                    if values and all(getattr(each, "call", None) is queue for each in values):
                        yield function, function.module.code[base.span.start : base.span.end]
                        break
                case _:
                    pass


def name_of_queue(queue: Call, source: SourceTree) -> str | None:
    """How the variable or attribute is written that a queue is assigned to."""
    for node in source.nodes_within(Span(0, len(source.text))):
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = [*zip(targets, values, strict=False)]
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                pairs = [(target, value)]
            case _:
                continue
        for target, value in pairs:
            if isinstance(target, ast.Name | ast.Attribute) and source.span(value) == queue.span:
                return ast.unparse(target)
    return None


def name_in_record(queue: Call, source: SourceTree) -> str | None:
    """How a queue is written that is made as a field of an object which a variable is assigned, or as an item of a
    dict: `channels.jobs`, `channels['jobs']`."""
    for node in source.nodes_within(Span(0, len(source.text))):
        match node:
            case ast.Assign(targets=[ast.Name(id=record)], value=ast.Call(keywords=fields)):
                for field in fields:
                    if field.arg is not None and source.span(field.value) == queue.span:
                        return f"{record}.{field.arg}"
            case ast.Assign(targets=[ast.Name(id=record)], value=ast.Dict(keys=keys, values=values)):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and source.span(value) == queue.span:
                        return f"{record}[{key.value!r}]"
            case _:
                pass
    return None
