"""Containers that modules fill when they are imported, where only the main process imports such a module."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from lintpickle.analyses.at_import.composed_names import is_put_together, part_put_in
from lintpickle.analyses.at_import.guarded_imports import imported_by_workers
from lintpickle.analyses.at_import.import_statements import calls_at_import
from lintpickle.analyses.at_import.import_time import functions_of, is_guard, outside_comments
from lintpickle.analyses.at_import.imports_by_text import form_putting_in, imports
from lintpickle.analyses.main_state.main_setters import Met, Setting, is_called
from lintpickle.analyses.main_state.run_scripts import RUNS_SCRIPT
from lintpickle.analyses.workers.runs_elsewhere import is_of_main_too
from lintpickle.analyses.workers.seen_workers import functions_beside
from lintpickle.analyses.workers.task_workers import functions_started_in
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue, FunctionValue, InstanceValue, Site
from lintpickle.payload.imported_modules import imported_directly, imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_OF_SUBCLASSES = "__init_subclass__"
_OF_METACLASS = frozenset({"__new__", "__init__"})
_BY_NAME = Words({"import_module", "__import__"})
_BY_CALL = re.compile(r"(?:\w+\.)*(?:import_module|__import__)\([^\n]*")
_GUARD = Words({"__main__"})
_IMPORTERS = frozenset({"importlib.import_module", "builtins.__import__"})
_AS_LEFT = Met("there it is as the modules left it that workers import", "filled")
_WITHOUT_MORE = Met(_AS_LEFT.outcome, "filled further")


def filled_by_import(
    filling: Sequence[Module],
    function: WorkerFunction,
    code: WorkerCode,
    linker: Linker,
    names: Collection[str] = (),
) -> Setting | None:
    """How a container that a function of workers reads gets what it has, where modules fill it when they are imported;
    None if workers import one of them. For `migrate`, some may be imported by workers, if the program is seen to import
    another one. `names` are those of the container and of what fills it (`@rule("spacing")`)."""
    asker = code.root.site.module
    way = _way(code) if linker.moving_to is None else ()
    unpickled = _imported_for_payload(code, linker) if filling and linker.moving_to is not None else ()
    there = imported_by_workers((function.module, asker, *way, *unpickled), linker) if filling else ()
    lacking, met = [module for module in filling if module not in there], _AS_LEFT
    if len(lacking) < len(filling):
        lacking = [module for module in lacking if linker.moving_to is not None and imports(asker, module)]
        met = _WITHOUT_MORE
    if not lacking or _workers_import(lacking, code, linker):
        return None
    if linker.moving_to is not None and _is_imported_by_name(lacking[0], there, linker, asker.path):
        return None
    where = f"by the import of `{lacking[0].name}`, which no worker makes"
    return Setting(met, where, _place_filling(lacking[0], names), imported=_import_by_main(lacking[0], code, linker))


def _way(code: WorkerCode) -> tuple[Module, ...]:
    """The modules of the program that lead to where workers start; among them is the script, which workers rerun."""
    return tuple(each for each in dict.fromkeys(site.module for site in code.way) if each.first_party)


def _imported_for_payload(code: WorkerCode, linker: Linker) -> tuple[Module, ...]:
    """The modules of the program that workers import to unpickle what they are given: those of classes of objects, of
    classes and functions, where what is given is of one module."""
    homes: dict[str, set[Module]] = {}
    for crossing in linker.shipped_to_workers_of(code.boundary) if code.boundary is not None else ():
        match crossing.value:
            case InstanceValue(class_=ClassValue(module=home)) | ClassValue(module=home) | FunctionValue(module=home):
                homes.setdefault(crossing.path, set()).add(home)
            case _:
                pass
    only = (each for found in homes.values() if len(found) == 1 for each in found)
    return tuple(dict.fromkeys(each for each in only if each.first_party))


def may_be_filled_in_workers(filling: Sequence[Module], code: WorkerCode, linker: Linker) -> bool:
    """Whether workers may import modules that fill something when they are imported: a function that they run does so
    by name (`_load_plugins()`), or what they import, the script included, as that is imported."""
    asker = code.root.site.module
    if not filling:
        return False
    way = _way(code)
    there = imported_by_workers((*(each.module for each in code.functions), asker, *way), linker)
    if any(each in there for each in filling) or _workers_import(filling, code, linker):
        return True
    if not linker.first_party.is_anywhere(_BY_NAME, asker.path):
        return False
    return any(_is_imported_by_name(each, there, linker, asker.path) for each in filling)


def _import_by_main(filling: Module, code: WorkerCode, linker: Linker) -> Site | None:
    """Where a module on the way to where workers start, or one that it imports, imports another one."""
    for starting in dict.fromkeys((*(site.module for site in code.way), code.root.site.module)):
        for each in imported_directly((starting,), linker):
            if each.first_party and each is not filling:
                place = _place_importing(each, filling)
                if place is not None:
                    return Site(each, place)
    return None


def _place_importing(importing: Module, imported: Module) -> Span | None:
    """Where a module is seen to import another one: by a statement, or where it imports by name."""
    last = re.escape(imported.name.rpartition(".")[2])
    statement = re.compile(rf"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import\b[^\n#]*\b{last}\b", re.MULTILINE)
    place = outside_comments(statement, importing.code, 0, len(importing.code))
    if place is None and imports(importing, imported):
        place = outside_comments(_BY_CALL, importing.code, 0, len(importing.code))
    return place


def _place_filling(module: Module, names: Collection[str]) -> Site:
    """Where a module first uses one of the names, other than to import it; where it begins, if that is not seen."""
    written = "|".join(map(re.escape, sorted(names)))
    used = re.compile(rf"^[ \t]*(?:@(?:\w+\.)*(?:{written})\b|(?:\w+\.)*(?:{written})[ \t]*[.(\[])[^\n]*", re.MULTILINE)
    place = outside_comments(used, module.code, 0, len(module.code)) if names else None
    return Site(module, place or Span(0, 0))


def _is_imported_by_name(filling: Module, there: Collection[Module], linker: Linker, asker: str) -> bool:
    """Whether some modules call at their import what imports another one by its name (`discover()`)."""
    return linker.first_party.is_anywhere(_BY_NAME, asker) and any(
        call.path in _IMPORTERS and (imports(call.module, filling) or part_put_in(call.module, filling) is not None)
        for module in there
        if module.first_party
        for call in calls_at_import(module, linker)
    )


def _workers_import(modules: Sequence[Module], code: WorkerCode, linker: Linker) -> bool:
    """Whether a function that runs in the workers of a boundary imports one of the modules, or some by name or path; or
    only one does that workers of other boundaries run, and the main process is not seen to."""
    names = "|".join(re.escape(module.name.rpartition(".")[2]) for module in modules)
    by_name = rf"\b(?:import_module|__import__)\(\s*(?:[^\"'\s]|[\"'][\w.]*\b(?:{names})[\"'])"
    form = re.compile(rf"{by_name}|{RUNS_SCRIPT}|\bimport\b[^\n#]*\b(?:{names})\b")
    if any(_stands_in(form, each) for each in functions_beside(code, linker)):
        return True
    asker = code.root.site.module
    others = [each for each in functions_started_in(asker, linker) if _stands_in(form, each)]
    if not others or any(is_of_main_too(each.facts, linker, asker.path) for each in others):
        return False
    site = _import_by_main(modules[0], code, linker)
    return site is None or any(each.module is site.module and each.facts.span.contains(site.span) for each in others)


def _stands_in(form: re.Pattern[str], function: WorkerFunction) -> bool:
    module, span = function.module, function.facts.span
    return module.first_party and form.search(module.code, span.start, span.end) is not None


def is_seen_to_import(code: WorkerCode, filling: Module, linker: Linker) -> bool:
    """Whether a module on the way to where workers start is seen to import another one, itself or by a module that it
    imports; or all programs are that import where they start."""
    starts = code.root.site.module
    if any(_is_seen_to_import(module, filling, linker) for module in dict.fromkeys(site.module for site in code.way)):
        return True
    guarded = linker.first_party.naming_in_text(_GUARD, starts.path)
    programs = [each for each in guarded if each is not starts and starts in imported_with([each], linker)]
    programs = [each for each in programs if any(is_guard(block, each) for block in each.outline.blocks)]
    return bool(programs) and all(_is_seen_to_import(each, filling, linker) for each in programs)


def _is_seen_to_import(starting: Module, filling: Module, linker: Linker) -> bool:
    seen = imported_directly((starting,), linker)
    return any(
        imports(each, filling) or is_put_together(each, filling, starting)
        for each in seen
        if each.first_party and each is not filling
    )


def is_imported_by_main(filling: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether the module that starts workers is seen to import another one, or has its name in quotes where the program
    imports by name, or one that leads there has; or it calls a function that puts its name together. Workers import
    none by name."""
    starts = code.root.site.module
    by_name = linker.first_party.is_anywhere(_BY_NAME, starts.path)
    is_quoted = by_name and re.search(rf"[\"']{re.escape(filling.name)}[\"']", starts.code) is not None
    is_imported = is_quoted or imports(starts, filling) or (by_name and _is_loaded_by_main(filling, code, linker))
    is_imported = is_imported or (by_name and _is_named_on_the_way(filling, code, linker))
    return is_imported and not _workers_import([filling], code, linker)


def _is_named_on_the_way(filling: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function or the main guard of a module on the way to where workers start has the name of another one in
    quotes, which it imports no other way, while the program imports by name, but not as workers import its modules."""
    asker = code.root.site.module
    quoted = re.compile(rf"[\"']{re.escape(filling.name)}[\"']")
    statement = re.compile(rf"\bimport\b[^\n#]*\b{re.escape(filling.name.rpartition('.')[2])}\b")
    way = _way(code)
    if not any(each.has(quoted) and not each.has(statement) for each in way):
        return False
    there = imported_by_workers((*(each.module for each in code.functions), asker, *way), linker)
    return not _is_imported_by_name(filling, there, linker, asker.path)


def _is_loaded_by_main(filling: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether the module that starts workers imports one of which a function puts the name of another one together to
    import that, and the program calls the function, but not at the import of what workers import."""
    starts = code.root.site.module
    for module in imported_directly((starts,), linker):
        form = form_putting_in(module, filling) if module.first_party and module is not filling else None
        loading = functions_of(module, form, lambda each: not each.is_module_body) if form is not None else ()
        if any(is_called(each, module, linker, starts.path) for each in loading):
            there = imported_by_workers((*(each.module for each in code.functions), starts), linker)
            return not _is_imported_by_name(filling, there, linker, starts.path)
    return False


def bases_noting(function: FunctionFacts, module: Module, linker: Linker, asker: str) -> Collection[str]:
    """The names of the classes of which every subclass runs a function when it is defined: `__init_subclass__` of a
    class, or a method of a metaclass."""
    block = module.outline.block_at(function.span.start)
    if block is None or not block.is_class or function.is_local:
        return ()
    name = block.names[0]
    if function.name == _OF_SUBCLASSES:
        return (name,)
    is_metaclass = any(base == "type" or base.endswith("Meta") for header in block.classes for base in header.bases)
    if function.name not in _OF_METACLASS or not is_metaclass:
        return ()
    made = re.compile(rf"^\s*class\s+(\w+)\s*\([^)]*\bmetaclass\s*=\s*(?:\w+\.)*{re.escape(name)}\b", re.MULTILINE)
    modules = linker.first_party.naming_in_text(Words({name}), asker, made)
    return sorted({found[1] for each in modules for found in made.finditer(each.code)})


def deriving(bases: Collection[str], linker: Linker, asker: str) -> Iterator[Module]:
    """The modules in which a class is derived from one of some classes, by their names."""
    if bases:
        derived = re.compile(rf"^\s*class\s+\w+\([^)]*\b(?:{'|'.join(map(re.escape, bases))})\b", re.MULTILINE)
        yield from linker.first_party.naming_in_text(Words(set(bases)), asker, derived)
