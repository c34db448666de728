"""Functions that a boundary calls in the worker."""

from __future__ import annotations

import ast
import re

from lintpickle.control_flow.steps import start_of
from lintpickle.facts.values import Expr
from lintpickle.interpreter.abstract_values import AbstractValue, Bound, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.frames import Arguments
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.linker import PICKLED_ON_START, Linker

_FORK_IS_SET = re.compile(r"(?:set_start_method|get_context)\(\s*(?:method\s*=\s*)?['\"]fork['\"]")
_OWN_CONTEXT = re.compile(r"get_context|mp_context|multiprocessing_context|(?:Spawn|ForkServer)Context")


def role_phrase(crossing: Crossing) -> str:
    """The place of a worker's function for a message: "to `DataLoader` as `collate_fn`"."""
    assert crossing.root.spec is not None
    return f"to `{crossing.root.spec.path.rpartition('.')[2]}` as `{crossing.role}`"


def choice_of(function: FunctionValue) -> str | None:
    """What is the same for the lambdas of one conditional expression, of which either crosses in the place of the
    other (`f = (lambda row: a(row)) if fast else lambda row: b(row)`); None outside of any."""
    frame = function.frame
    steps = frame.paths.steps(function.facts.span.start) if frame is not None else ()
    if frame is None or not steps or not isinstance(steps[-1].node, ast.IfExp):
        return None
    return f"{function.module.path}:{frame.paths.offset(start_of(steps[-1].node))}"


def is_forked(root: Root, linker: Linker) -> bool:
    """Whether the workers are forked on every platform: the boundary's own context forks, or its module sets `fork` or
    asks for a context that forks, or the program sets `fork` and the module asks for no context at all."""
    if linker.moving_to is not None:
        return False
    if root.spec is not None and not set(root.start_methods) & set(PICKLED_ON_START):
        return True
    module = root.site.module
    is_pinned = not linker.start_methods_of_workers(module) and not module.has(_OWN_CONTEXT)
    return is_pinned or module.has(_FORK_IS_SET)


def hidden_by_decorator(value: FunctionValue, linker: Linker) -> FunctionValue | None:
    """The local function with which a decorator replaces a module-level function without giving it the same name
    (`functools.wraps`); None if no decorator does, or if it cannot be read."""
    if value.facts.is_local or value.bound is not None:
        return None
    frame = Frame(value.module, value.facts)
    replaced = (_replacement(value, decorator, frame, linker) for decorator in value.facts.decorators)
    return next((inner for inner in replaced if inner is not None), None)


def _replacement(abstract: FunctionValue, decorator: Expr, frame: Frame, linker: Linker) -> FunctionValue | None:
    evaluator = linker.evaluator
    for traced in evaluator.evaluate(decorator, frame):
        called = _called(traced.value, linker)
        if called is None or _keeps_names(called):
            continue
        call = evaluator.activate(called, Arguments((Bound(value=abstract),), {}, False), 2)
        if call is None:
            continue
        returned = [each.value for value in called.facts.returns for each in evaluator.evaluate(value, call)]
        inner = [each for each in returned if isinstance(each, FunctionValue) and each.facts.is_local]
        if inner and len(inner) == len(returned):
            return inner[0]
    return None


def _called(decorator: AbstractValue, linker: Linker) -> FunctionValue | None:
    """The function that a decorator runs: itself, or the `__call__` of an object."""
    match decorator:
        case FunctionValue():
            return decorator
        case InstanceValue():
            found = linker.classes.find_method(decorator, "__call__")
            return FunctionValue(found[0].module, found[1], found[0].frame, decorator) if found is not None else None
        case _:
            return None


def _keeps_names(decorator: FunctionValue) -> bool:
    """Whether the decorator may hand the name of what it decorates to what it returns."""
    span = decorator.facts.span
    text = decorator.module.code[span.start : span.end]
    return any(word in text for word in ("wraps", "update_wrapper", "__qualname__", "decorator"))
