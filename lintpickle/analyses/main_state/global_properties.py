"""Globals that the setters of properties bind: whoever stores on the property sets them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import Methods, methods_holding, owns
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module
from lintpickle.resolution.declared_globals import declared_global

_SETTER = ".setter"


def stored_on_property(name: str, module: Module) -> re.Pattern[str] | None:
    """What stands where something is stored on a property of the module whose setter binds a global; None without such
    a property."""
    if _SETTER not in module.code or "global " not in module.code:
        return None
    return module.remembered(("stored on property", name), lambda: _form(name, module))


def storing_by_property(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module, and its bodies, that bind a global because they store on a property."""
    form = stored_on_property(name, module)
    if form is not None:
        yield from functions_of(module, form, lambda facts: bool(places_by_property(name, facts, module)))


def places_by_property(name: str, facts: FunctionFacts, module: Module) -> list[Span]:
    """Where a function stores on a property whose setter binds a global."""
    form = stored_on_property(name, module)
    found = form.finditer(module.code, facts.span.start, facts.span.end) if form is not None else ()
    return [Span(*each.span()) for each in found if owns(facts, each.start())]


def by_property(name: str, setting: Setting, module: Module) -> Setting:
    """How something is set, said of the property where a store on that does so."""
    setter = setting.setter
    places = places_by_property(name, setter, module) if setter is not None else []
    if setter is None or setting.site.span not in places:
        return setting
    written = module.code[setting.site.span.start : setting.site.span.end].partition("=")[0].rstrip()
    said = f"the setter of `{written.rpartition('.')[2]}`"
    return replace(setting, where=setting.where.replace(f"`{setter.name}()`", said, 1))


def is_stored_by_workers(name: str, module: Module, code: WorkerCode) -> bool:
    """Whether a function of workers, of whatever module, stores on such a property, or on what is called alike."""
    form = stored_on_property(name, module)
    return form is not None and any(
        form.search(each.module.code, each.facts.span.start, each.facts.span.end) is not None for each in code.functions
    )


def _form(name: str, module: Module) -> re.Pattern[str] | None:
    properties = sorted(set(_properties(name, module)))
    return re.compile(_stored("|".join(properties))) if properties else None


def _stored(properties: str) -> str:
    return rf"\b[\w.]+\.(?:{properties})\s*=(?!=)[^\n]*"


def _properties(name: str, module: Module) -> Iterator[str]:
    """The names of the properties of classes whose setters bind a global, if methods of the class store on them."""
    declaring = declared_global(name)
    for block in module.outline.blocks:
        is_holding = block.is_class and declaring.search(module.code, block.span.start, block.span.end) is not None
        facts = module.facts_of(block) if is_holding else None
        for class_ in facts.body.classes if facts is not None else ():
            methods = class_.methods
            setters = methods.setters_holding(declaring, module.code) if isinstance(methods, Methods) else ()
            for each in setters:
                if name in each.globals_declared and name in each.variables:
                    stored = re.compile(_stored(each.name))
                    if next(methods_holding(methods, stored, module.code), None) is not None:
                        yield each.name
