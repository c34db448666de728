"""Attributes that are set on tensors of an object which workers are sent as they start, and that workers ask for.

Measured with torch 2.13 and CPython 3.11: `ForkingPickler` reduces an `nn.Parameter` and a plain tensor by
`torch.multiprocessing.reductions.reduce_tensor`, so that those of a module which `mp.spawn`, or a process or pool that
does not fork, is given have no attribute of their own in the worker.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.named_values import value_named
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.results.attributes_of_tensors import OWN_OF_TENSORS, is_plain_tensor
from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.facts.records import Store
from lintpickle.facts.values import Attribute, Call, Choice, Expr, Parameter, options_of, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ContainerValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"process", "spawn", "pool", "executor", "dataloader"})
_PARAMETERS = frozenset({"torch.nn.Parameter", "torch.nn.parameter.Parameter"})
_TORCH = "torch"
_FOLLOWED = 4
_DEPTH = 3
"""Objects in one another, from what a worker is given to the tensor."""
_ASKS = frozenset({"getattr", "hasattr"})
_ASKING = re.compile(r"\b(?:get|has)attr\(")


class SentTensorAttribute(Struct, frozen=True):
    """Where the main process sets an attribute of a tensor, and the function of workers that asks for it, and where;
    `owner` has the tensor under the name `held`."""

    site: Site
    attribute: str
    owner: str
    held: str
    function: WorkerFunction
    read: Site


class _Set(Struct, frozen=True):
    """Where an attribute of a tensor is set."""

    attribute: str
    site: Site


def attributes_of_sent_tensors(code: WorkerCode, linker: Linker) -> Iterator[SentTensorAttribute]:
    """The attributes of tensors that workers ask for by `getattr` or `hasattr` and do not get, each told once."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.frame.module.first_party:
        return
    asked = {name: found for name, found in _asked(code, linker) if name not in OWN_OF_TENSORS}
    told: set[str] = set()
    for instance in _sent(boundary, linker) if asked else ():
        for held in linker.classes.states.state(instance):
            for each in _sets(held.value, held.frame, linker, 0):
                if each.attribute in asked and each.attribute not in told and not _is_set_there(each, code):
                    told.add(each.attribute)
                    owner = instance.class_.facts.name
                    yield SentTensorAttribute(each.site, each.attribute, owner, held.attribute, *asked[each.attribute])


def _asked(code: WorkerCode, linker: Linker) -> Iterator[tuple[str, tuple[WorkerFunction, Site]]]:
    for function in code.functions:
        module, span = function.module, function.facts.span
        is_asking = module.first_party and _ASKING.search(module.code, span.start, span.end) is not None
        source = source_tree(module.code) if is_asking else None
        for node in source.nodes_within(span) if source is not None else ():
            match node:
                case ast.Call(func=ast.Name(id=name), args=[owner, ast.Constant(value=str() as attribute), *_]):
                    if name in _ASKS and source is not None and not _is_another(owner, function.frame, linker):
                        yield attribute, (function, Site(module, source.span(node)))
                case _:
                    pass


def _is_another(owner: ast.expr, frame: Frame, linker: Linker) -> bool:
    """Whether a name is seen to be something other than a tensor: an object of the program, or what a library gives."""
    value = value_named(owner, frame) if dotted(owner) else None
    found = [each.value for each in linker.evaluate(value, frame)] if value is not None else []
    return any(
        isinstance(each, InstanceValue) or (isinstance(each, ExternalResult) and not each.path.startswith(_TORCH))
        for each in found
    )


def _is_set_there(found: _Set, code: WorkerCode) -> bool:
    """Whether workers set such an attribute themselves."""
    events = (event for function in code.functions for event in function.facts.events)
    return any(isinstance(event, Store) and event.attribute == found.attribute for event in events)


def _sent(boundary: BoundaryCall, linker: Linker) -> Iterator[InstanceValue]:
    """The objects that the workers are sent, and those that they hold."""
    names = [each for each in boundary.payload if each != ITSELF]
    waiting: list[tuple[AbstractValue, int]] = [
        (each.value, 0) for name in names for each in boundary.value(name, linker.evaluator)
    ]
    seen: set[int] = set()
    while waiting:
        value, depth = waiting.pop()
        if depth > _DEPTH or id(value) in seen:
            continue
        seen.add(id(value))
        match value:
            case ContainerValue(slots=slots):
                waiting += [(each.value, depth + 1) for slot in slots for each in linker.evaluator.held_in(slot)]
            case InstanceValue() as instance if instance.class_.module.first_party:
                yield instance
                for held in linker.classes.states.state(instance):
                    waiting += [(each.value, depth + 1) for each in linker.evaluate(held.value, held.frame)]
            case _:
                pass


def _sets(value: Expr, frame: Frame, linker: Linker, level: int) -> Iterator[_Set]:
    """Where attributes are set of the tensor that an expression surely gives: by the function of the frame, or by one
    that it calls and that returns the tensor."""
    inner = without_narrowing(value)
    if level > _FOLLOWED or _TORCH not in frame.module.code:
        return
    match inner:
        case Choice():
            for option in options_of(inner):
                yield from _sets(option, frame, linker, level + 1)
        case Parameter(name=name):
            bound = frame.bindings.get(name)
            if bound is not None and bound.expr is not None and bound.frame is not None:
                if _is_tensor(bound.expr, bound.frame, linker):
                    yield from _stores_on(inner, frame)
                yield from _sets(bound.expr, bound.frame, linker, level + 1)
        case Call(function=function):
            if _is_tensor(inner, frame, linker):
                yield from _stores_on(inner, frame)
            for each in (traced.value for traced in linker.evaluate(function, frame)):
                entered = linker.evaluator.enter(each, inner, frame) if isinstance(each, FunctionValue) else None
                for returned in entered.function.returns if entered is not None else ():
                    yield from _sets(returned, entered, linker, level + 1) if entered is not None else ()
        case _:
            pass


def _stores_on(value: Expr, frame: Frame) -> Iterator[_Set]:
    for event in frame.function.events:
        if isinstance(event, Store) and event.attribute not in OWN_OF_TENSORS and _is_it(event.target, value, frame):
            yield _Set(event.attribute, Site(frame.module, event.span))


def _is_it(target: Expr, value: Expr, frame: Frame) -> bool:
    """Whether the target of a store is a tensor, or the attribute in which the function has kept that."""
    inner = without_narrowing(target)
    match inner, value:
        case Parameter(name=name), Parameter(name=other):
            return name == other
        case Attribute(base=Parameter(name=me), name=attribute), _:
            kept = (each for each in frame.function.events if isinstance(each, Store) and each.attribute == attribute)
            own = [each for each in kept if isinstance(each.target, Parameter) and each.target.name == me]
            return len(own) == 1 and without_narrowing(own[0].value) is value
        case _:
            return inner is value


def _is_tensor(value: Expr, frame: Frame, linker: Linker) -> bool:
    inner = without_narrowing(value)
    if isinstance(inner, Call) and any(each in _PARAMETERS for each in external_names(inner.function, frame, linker)):
        return True
    return is_plain_tensor(value, frame, linker)
