"""What workers cannot come to, whatever they call: functions that only modules call which workers do not know."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.payload.imported_modules import imported_by_functions, imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module


def is_out_of_reach(setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether workers surely do not call the function that sets something, even by code that was not read: its name
    stands only in modules that those of the workers' functions do not import, at module level or later."""
    setter, home = setting.setter, setting.site.module
    if setter is None or setter.is_module_body or setter.name.startswith("__"):
        return False
    name = callable_name(setter)
    named = re.compile(rf"(?<!\bdef )\b{re.escape(name)}\b")
    known = _known_to((each.module for each in (*code.functions, *code.by_value)), linker)
    naming = linker.first_party.naming_in_text(Words({name}), code.root.site.module.path, named)
    return home in known and not any(module.path in {each.path for each in known} for module in naming)


def _known_to(modules: Iterable[Module], linker: Linker) -> tuple[Module, ...]:
    """The modules, and all first-party modules that these import at some time, and so on."""
    known = tuple(dict.fromkeys(modules))
    while True:
        more = tuple(dict.fromkeys((*imported_with(known, linker), *imported_by_functions(known, linker))))
        if len(more) <= len(known):
            return known
        known = more
