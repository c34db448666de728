"""Objects of which only the main process sets an attribute, and whose lookups or methods raise an error as long as that
is as construction gives it: flags that are read before they are parsed, as absl's are. For `migrate`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.main_state.main_setters import Met
from lintpickle.analyses.main_state.sure_failures import insisted, used_at_once
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.control_flow.paths import Paths
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Constant
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_HOOK = "__getattr__"


def refused(met: Met, value: AbstractValue, written: str, function: WorkerFunction, linker: Linker) -> Met:
    """What a worker meets of an object, with the error that it raises where the function takes an attribute of it, or
    calls a method, whenever the function runs."""
    if linker.moving_to is None or met.error is not None or not isinstance(value, InstanceValue):
        return met
    first = list(_constants_at_first(value, linker))
    tree = function.frame.paths.tree
    for use in used_at_once(written, tree) if first else ():
        if not isinstance(use, ast.Attribute) or not isinstance(use.ctx, ast.Load):
            continue
        found = _run_for(use, value, tree, linker)
        if found is None or not found[1].parameters:
            continue
        owner, method = found
        paths, me = Paths(owner.module, method.span), method.parameters[0].name
        for attribute, constant in first:
            error = insisted(f"{me}.{attribute}", constant, paths.tree)
            if error is not None and not _is_tried(use, error.partition(":")[0], tree):
                return Met(met.outcome, met.how, error)
    return met


def _run_for(
    use: ast.Attribute, value: InstanceValue, tree: ast.Module, linker: Linker
) -> tuple[ClassValue, FunctionFacts] | None:
    """The method that is run where an attribute is taken: itself, if that is called, or what looks it up."""
    classes = linker.classes
    method = classes.find_method(value, use.attr)
    if method is not None:
        is_called = any(isinstance(node, ast.Call) and node.func is use for node in ast.walk(tree))
        return method if is_called or method[1].decorated_by("property") else None
    if any(each.attribute == use.attr for each in classes.states.state(value)):
        return None
    line = (each for each in classes.mro(value) if isinstance(each, ClassValue))
    return classes.find_method(value, _HOOK) if not any(use.attr in each.facts.body for each in line) else None


def _is_tried(use: ast.Attribute, error: str, tree: ast.Module) -> bool:
    """Whether a function is ready for an error there: many of them derive from `AttributeError` or `RuntimeError`."""
    kinds = (error.rpartition(".")[2], "AttributeError", "RuntimeError")
    return any(is_ready_for(kind, tree, use.lineno) for kind in kinds)


def _constants_at_first(value: InstanceValue, linker: Linker) -> Iterator[tuple[str, object]]:
    """The attributes that an object has as constants when its module has been imported, with these."""
    held = [each for each in linker.classes.states.state(value) if each.direct]
    for attribute in dict.fromkeys(each.attribute for each in held):
        given = [each.value for each in held if each.attribute == attribute]
        if len(given) == 1 and isinstance(given[0], Constant) and not _is_set_at_import(attribute, value, linker):
            yield attribute, given[0].value


def _is_set_at_import(attribute: str, value: InstanceValue, linker: Linker) -> bool:
    """Whether a method that an import runs stores the attribute."""
    for each in linker.classes.mro(value):
        if not isinstance(each, ClassValue):
            continue
        modules = {each.module, value.frame.module if value.frame is not None else each.module}
        for method in each.facts.methods.values():
            stores = any(isinstance(event, Store) and event.attribute == attribute for event in method.events)
            is_later = not stores or method.name in CONSTRUCTION
            if not is_later and any(runs_on_import(method, module, linker) for module in modules):
                return True
    return False
