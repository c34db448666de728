"""Functions that a boundary calls in the worker."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from lintpickle.analyses.calls_and_values.functions_run import function_run
from lintpickle.boundaries.forked_by_request import asks_for_fork, places_asking_for_fork
from lintpickle.control_flow.steps import start_of
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.values import Expr, chain, uncalled
from lintpickle.interpreter.abstract_values import Bound, Frame, FunctionValue, InstanceValue, Site
from lintpickle.interpreter.frames import Arguments
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.linker import PICKLED_ON_START, Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module
from lintpickle.pythons import FIRST_UNFORKED

RENAMES = re.compile(r"__qualname__|\bsetattr\s*\(")
"""Words in decorators that give the function another name, under which pickle can find it."""
_FORK_IS_SET = re.compile(r"(?:set_start_method|get_context)\(\s*(?:method\s*=\s*)?['\"]fork['\"]")
_METHOD_IS_SET = re.compile(r"set_start_method\(\s*['\"]fork['\"]")
_OWN_CONTEXT = re.compile(r"get_context|mp_context|multiprocessing_context|(?:Spawn|ForkServer)Context")


def role_phrase(crossing: Crossing) -> str:
    """The place of a worker's function for a message: "to `DataLoader` as `collate_fn`"."""
    assert crossing.root.spec is not None
    return f"to `{crossing.root.spec.name}` as `{crossing.role}`"


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
    return is_pinned or asks_for_fork(module, _FORK_IS_SET)


def sets_fork(module: Module) -> bool:
    """Whether the text of a module sets fork for the whole program."""
    return bool(places_setting_fork(module))


def places_setting_fork(module: Module) -> tuple[int, ...]:
    """Where the text of a module sets fork for the whole program."""
    return places_asking_for_fork(module, _METHOD_IS_SET)


def may_be_forked(code: WorkerCode, linker: Linker) -> bool:
    """Whether the program may fork the workers: it says so, or lets Python choose, which forks on Linux up to 3.13."""
    boundary = code.boundary
    if boundary is None or linker.moving_to is not None or linker.boundaries.starting.is_never_forked(boundary):
        return False
    if StartMethod.FORK not in linker.start_methods_at(boundary.frame.module):
        return False
    return any(python < FIRST_UNFORKED for python in linker.pythons) or is_forked(code.root, linker)


def may_be_started_by(method: StartMethod, code: WorkerCode, linker: Linker) -> bool:
    """Whether the program may start the workers by a start method: neither they nor their module ask for another."""
    boundary = code.boundary
    if boundary is None:
        return method in code.root.start_methods
    is_possible = method in linker.start_methods_at(boundary.frame.module)
    return is_possible and linker.boundaries.starting.may_start_by(method, boundary)


def replaced_by_decorator(value: FunctionValue, linker: Linker) -> str | None:
    """The decorator, as it is written, that puts a local function in the place of a module-level function, and gives
    the function no other name; None if no decorator does, or if it cannot be read."""
    if value.facts.is_local or value.bound is not None:
        return None
    frame = Frame(value.module, value.facts)
    for decorator in value.facts.decorators:
        inner = _replacement(value, decorator, frame, linker)
        if inner is not None and not _may_be_renamed_around(inner.module, inner.facts.span.start):
            return decorator_as_written(decorator)
    return None


def decorator_as_written(decorator: Expr) -> str:
    """The name of a decorator, for a message."""
    names = chain(uncalled(decorator))
    return ".".join(names) if names is not None else "a decorator"


def object_in_place(value: FunctionValue, linker: Linker) -> InstanceValue | None:
    """The object that the only decorator of a function puts in its place (`@Task`, `@task(retries=2)`), if it gives
    nothing else, and gives the function no other name."""
    if value.facts.is_local or value.bound is not None or len(value.facts.decorators) != 1:
        return None
    if len(linker.evaluator.names.lookup(value.module, value.facts.qualname.partition(".")[0])) != 1:
        return None
    named, site = FunctionValue(value.module, value.facts), Site(value.module, value.facts.header)
    frame = Frame(value.module, value.facts)
    found = [traced.value for traced in linker.evaluator.decorators.of_function(named, frame, site)]
    objects = [each for each in found if isinstance(each, InstanceValue) and not _may_rename(each)]
    return objects[0] if objects and len(objects) == len(found) else None


def _may_rename(made: InstanceValue) -> bool:
    """Whether the class of an object, or the definition in which it is made, may give functions other names."""
    if _may_be_renamed_around(made.class_.module, made.class_.facts.span.start):
        return True
    if made.frame is None or made.call is None or made.frame.function.is_module_body:
        return False
    return _may_be_renamed_around(made.frame.module, made.call.span.start)


def _may_be_renamed_around(module: Module, start: int) -> bool:
    """Whether the definition in which something stands may give functions other names."""
    around = module.outline.block_at(start)
    return around is None or RENAMES.search(module.code, around.span.start, around.span.end) is not None


def hidden_by_decorator(value: FunctionValue, linker: Linker) -> FunctionValue | None:
    """The local function with which a decorator replaces a module-level function without giving it the same name
    (`functools.wraps`); None if no decorator does, or if it cannot be read."""
    if value.facts.is_local or value.bound is not None or value.undecorated:
        return None
    frame = Frame(value.module, value.facts)
    replaced = (_replacement(value, decorator, frame, linker, _keeps_names) for decorator in value.facts.decorators)
    return next((inner for inner in replaced if inner is not None), None)


def _replacement(
    abstract: FunctionValue,
    decorator: Expr,
    frame: Frame,
    linker: Linker,
    passes_over: Callable[[FunctionValue], bool] = lambda _: False,
) -> FunctionValue | None:
    """The local function that a decorator gives for a function, if it gives nothing else."""
    evaluator = linker.evaluator
    for traced in evaluator.evaluate(decorator, frame):
        called = function_run(traced.value, linker)
        if called is None or passes_over(called):
            continue
        call = evaluator.activate(called, Arguments((Bound(value=abstract),), {}, False), 2)
        if call is None:
            continue
        returned = [each.value for value in called.facts.returns for each in evaluator.evaluate(value, call)]
        inner = [each for each in returned if isinstance(each, FunctionValue) and each.facts.is_local]
        if inner and len(inner) == len(returned):
            return inner[0]
    return None


def _keeps_names(decorator: FunctionValue) -> bool:
    """Whether the decorator may hand the name of what it decorates to what it returns."""
    span = decorator.facts.span
    text = decorator.module.code[span.start : span.end]
    return any(word in text for word in ("wraps", "update_wrapper", "__qualname__", "decorator"))
