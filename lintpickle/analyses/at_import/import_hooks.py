"""Import hooks that the main process alone installs (`sys.meta_path.append(finder)`), and what functions of workers
import that may need them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.at_import.stubbed_modules import IMPORTERS, StubbedModule, imports_in, places_of
from lintpickle.analyses.main_state.main_setters import Met, Setting, of_the_program, set_by, setter_at
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_HOOKS = re.compile(
    r"\bsys\.(?:meta_path|path_hooks)"
    r"(?:\.(?:append|insert|extend)\(|\[[^\]\n]*\]\s*=(?!=)|\s*\+?=(?!=))"
)
_WORDS = (Words({"sys.meta_path"}), Words({"sys.path_hooks"}))
_MODULES = Words({"sys.modules"})
_CALLED = re.compile(r"\b(?:__import__|import_module)\(")
_NOT_FOUND = Met("there the import may find no module", "set")


def imports_by_hook(code: WorkerCode, linker: Linker) -> Iterator[tuple[str, StubbedModule, Setting]]:
    """The imports in functions of workers that may find a module only by a hook, or by an entry of `sys.modules`, which
    the main process makes, with what that is. For `migrate`."""
    asker = code.root.site.module.path
    if linker.moving_to is None:
        return
    is_hooked = any(linker.first_party.is_anywhere(each, asker) for each in _WORDS)
    if not is_hooked and not linker.first_party.is_anywhere(_MODULES, asker):
        return
    for function in code.functions:
        for needed, prefix in _unfound(function, linker) if function.module.first_party else ():
            forms = [("an import hook", _HOOKS, each) for each in _WORDS]
            if prefix:
                entry = re.compile(rf"\bsys\.modules\[\s*[\"']{re.escape(prefix)}[^\"'\n]*[\"']\s*\]\s*=(?!=)")
                forms.append((f'`sys.modules["{prefix}…"]`', entry, _MODULES))
            for what, form, words in forms:
                setters = [setter_at(*place, linker, asker) for place in places_of(form, words, linker, asker)]
                setting = set_by(of_the_program(setters, code, linker), _NOT_FOUND, linker, asker)
                if setting is not None:
                    yield what, needed, setting
                    return


def _unfound(function: WorkerFunction, linker: Linker) -> Iterator[tuple[StubbedModule, str]]:
    """The imports of a function of which no file is found, each with how their names begin, if these are composed."""
    for name, span in imports_in(function):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and linker.program.find(top, function.module) is None:
            yield StubbedModule(function, name, span, None), ""
    facts, text = function.facts, function.module.code
    place = outside_comments(_CALLED, text, facts.header.end, facts.span.end)
    for node in within(function.frame.paths.tree) if place is not None else ():
        match node:
            case ast.Call(func=called, args=[(ast.JoinedStr() | ast.BinOp()) as composed, *_]):
                prefix = _beginning(composed)
                top = prefix.partition(".")[0]
                is_found = "." in prefix and linker.program.find(top, function.module) is not None
                if last_name(called) in IMPORTERS and prefix and not is_found and place is not None:
                    yield StubbedModule(function, f"{prefix}…", place, None), prefix
            case _:
                pass


def _beginning(name: ast.expr) -> str:
    """The text with which a composed name begins."""
    match name:
        case ast.JoinedStr(values=[ast.Constant(value=str(first)), *_]):
            return first
        case ast.BinOp(left=ast.Constant(value=str(first)), op=ast.Add()):
            return first
        case _:
            return ""
