"""Whether one run of a program may come to two functions: one of them, or a function that leads to both, is called.

Functions that stand in a table of commands (`{"run": run}`, `set_defaults(func=run)`) are not called by what makes the
table: it calls one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, Expr, ending_name, without_narrowing
from lintpickle.interpreter.abstract_values import UNKNOWN, ClassValue, Frame, FunctionValue
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_MOST = 60
"""How many functions are asked for their callers: if there are more, they may have one in common."""
_ADDING_COMMANDS = frozenset({"set_defaults", "add_command"})
_READ = frozenset({"property", "cached_property", "register"})
"""Decorators of functions that run in the midst of others."""

_Key: TypeAlias = tuple[str, str, int]


def may_run_together(
    one: tuple[FunctionFacts, Module], other: tuple[FunctionFacts, Module], linker: Linker, asker: str
) -> bool:
    """Whether a function is seen that is one of two, or leads to both; or it is not seen what leads to them. `asker` is
    as for `OwnModules.search`."""
    first, second = _remembered(*one, linker, asker), _remembered(*other, linker, asker)
    return first is None or second is None or not first.isdisjoint(second)


def _remembered(function: FunctionFacts, module: Module, linker: Linker, asker: str) -> frozenset[_Key] | None:
    question = ("leading to", *_key(function, module), asker)
    return linker.remembered(question, lambda: _leading_to(function, module, linker, asker))


def _leading_to(function: FunctionFacts, module: Module, linker: Linker, asker: str) -> frozenset[_Key] | None:
    """The function, and those that call it; None if something else may call one of them."""
    waiting, seen = [function], {_key(function, module)}
    while waiting:
        asked = waiting.pop()
        if asked.is_module_body:
            continue
        if _is_called_unseen(asked) or len(seen) > _MOST:
            return None
        for caller, home in _callers(asked, linker, asker):
            key = _key(caller, home)
            if key not in seen:
                seen.add(key)
                waiting.append(caller)
    return frozenset(seen)


def _key(function: FunctionFacts, module: Module) -> _Key:
    return (module.path, "", 0) if function.is_module_body else (module.path, function.qualname, function.span.start)


def _is_called_unseen(function: FunctionFacts) -> bool:
    """Whether what calls a function does not name it. (`@app.route("/")` begins a run, as a command does.)"""
    is_special = function.name.startswith("__") and function.name != "__init__"
    return is_special or function.is_local or function.decorated_by(*_READ)


def _callers(function: FunctionFacts, linker: Linker, asker: str) -> Iterator[tuple[FunctionFacts, Module]]:
    name = callable_name(function)
    for root in linker.activations_with({name}, re.compile(rf"(?<!def )(?<!class )\b{re.escape(name)}\b"), asker):
        calls = (event.call for event in root.function.events if isinstance(event, Called))
        if root.function is not function and any(_leads_to(function, name, call, root.frame, linker) for call in calls):
            yield root.function, root.frame.module


def _leads_to(function: FunctionFacts, name: str, call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call may be one of a function, or gives it to what may call it."""
    if _is_named(call.function, name):
        return _may_be(function, call.function, frame, linker)
    if ending_name(call.function) in _ADDING_COMMANDS:
        return False
    given = (argument.value for argument in call.arguments if _is_named(argument.value, name))
    return any(_may_be(function, each, frame, linker) for each in given)


def _is_named(value: Expr, name: str) -> bool:
    return ending_name(without_narrowing(value)) == name


def _may_be(function: FunctionFacts, value: Expr, frame: Frame, linker: Linker) -> bool:
    is_method = "." in function.qualname
    for traced in linker.evaluate(value, frame):
        match traced.value:
            case FunctionValue(facts=called):
                if called is function or (function.decorators and called.is_local):
                    return True
            case ClassValue(facts=called):
                if function.qualname.rpartition(".")[0] == called.qualname:
                    return True
            case found if found is UNKNOWN and (is_method or function.decorators):
                return True
            case _:
                pass
    return False
