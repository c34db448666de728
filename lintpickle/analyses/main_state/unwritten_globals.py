"""Globals that code sets whose names it does not write out: `globals()[key.upper()] = value`."""

from __future__ import annotations

import re

from lintpickle.analyses.at_import.import_time import NO_CODE, functions_of, guard_of
from lintpickle.analyses.main_state.asked_globals import may_be_missing
from lintpickle.analyses.main_state.globals_stored import UPDATED_BY_NAME
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, is_called, missing, set_by, told_apart
from lintpickle.builtin_names import BUILTINS
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_BY_NAME = r"""\[\s*["'][A-Za-z_]\w*["']\s*\]"""
_READ = r"\[[^\]\n]*\]+(?!\]|\s*[-+*/|&]?=[^=])|\.\s*get\("
_AS_A_DICT = rf"(?<!\bin )\bglobals\(\)(?!\s*(?:{_BY_NAME}|{_READ}))"
_BY_ANY_KEY = re.compile(rf"(?!{UPDATED_BY_NAME}){_AS_A_DICT}")
_UNDER_GUARD = re.compile(_AS_A_DICT)
"""The same under the main guard, where stores of names that are written out count, too."""


def may_set_any(module: Module) -> bool:
    """Whether the module uses its globals as a dict, other than by names that are written out or to read an item."""
    if "globals()" not in module.code:
        return False
    return module.remembered(("may set any global",), lambda: _sets_any(module))


def _sets_any(module: Module) -> bool:
    if _BY_ANY_KEY.search(NO_CODE.sub("", module.code)) is not None:
        return True
    return any(guard_of(each.start(), module) is not None for each in _UNDER_GUARD.finditer(module.code))


def set_by_any_name(name: str, function: WorkerFunction, code: WorkerCode, linker: Linker) -> Setting | None:
    """How only the main process sets a global that the module binds nowhere, where it uses its globals as a dict:
    `globals()[key.upper()] = value`, `globals().update(options)`."""
    module = function.module
    is_bound = module.outline.binding(name) or name in module.outline.imports or module.outline.stars
    if is_bound or name in BUILTINS or name.startswith("__") or may_be_missing(name, function):
        return None
    asker = code.root.site.module.path
    setters: list[Setter] = []
    is_set_at_import = False
    for facts in functions_of(module, _UNDER_GUARD, lambda facts: True):
        form = _UNDER_GUARD if facts.is_module_body else _BY_ANY_KEY
        found = form.search(module.code, facts.span.start, facts.span.end)
        if found is None or not owns(facts, found.start()):
            continue
        if facts.is_module_body and guard_of(found.start(), module) is None:
            is_set_at_import = True
        else:
            setters.append(Setter(module, facts, Span(*found.span()), is_called(facts, module, linker, asker)))
    met = Met("there it is as at import") if is_set_at_import else missing(name)
    return set_by(told_apart(setters, code, linker), met, linker, asker)
