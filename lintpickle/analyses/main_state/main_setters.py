"""State of a program that only the main process sets, and where."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.at_import.import_callers import (
    is_called_as_kept,
    is_imported,
    runs_in_scripts_alone,
    runs_on_another_import,
)
from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.at_import.import_time import callable_name, guard_of, is_given_back, outer_function
from lintpickle.analyses.calls_and_values.decorators_applied import is_applied_in_function
from lintpickle.analyses.calls_and_values.leading_modules import leading_modules
from lintpickle.analyses.calls_and_values.wrapping_functions import decorated_with, is_before_call
from lintpickle.analyses.main_state.held_elsewhere import is_held_elsewhere
from lintpickle.analyses.main_state.taken_back import is_taken_back
from lintpickle.analyses.workers.runs_elsewhere import (
    is_of_main_too,
    is_of_other_workers,
    runs_in_workers,
)
from lintpickle.analyses.workers.workers_started import is_after_workers
from lintpickle.boundaries.mocks import SET_UP
from lintpickle.diagnostics import Confidence, Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Constant, Expr
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.main_guard import has_guard
from lintpickle.payload.imported_modules import imported_by_functions, imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_CONSTANT = re.compile(r"None|True|False|-?\d\w*(?:\.\w*)?(?:(?<=[eE])[-+]\d+)?|'[^'\\\n]*'|\"[^\"\\\n]*\"")
_PLAIN_DECORATORS = ("property", "staticmethod", "classmethod", "contextmanager", "lru_cache", "cache", "wraps")
"""Decorators of functions that the program itself calls, if anybody does."""
_READS_ATTRIBUTE = re.compile(r"\.\s*([^\W\d]\w*)\b(?!\s*=[^=])|\bgetattr\(\s*[\w.]+\s*,\s*[\"'](\w+)[\"']")
_TEST = "test_"
"""How functions and methods are called that a test runner calls."""
_UNDER = "under `if "
_OF_SCRIPT = '__name__ == "__main__":'
_OTHER_GUARDS = ("MainProcess", "__mp_main__")
"""What stands in tests for the main process that do not ask for the name of a script."""


_MOST_SHOWN = 70
"""Characters of a value that a message quotes."""


class Met(Struct, frozen=True):
    """What a worker meets, which is an error or what there is at import, and how the main process comes to have what it
    has ("set", "filled")."""

    outcome: str
    how: str = "set"
    error: str | None = None


STILL_NONE = Met("there it is still None")
STILL_EMPTY = Met("there it is still empty")
NEVER_FILLED = Met("there it is still empty", "filled")


def missing(name: str) -> Met:
    """Of a global that the module does not have at import."""
    error = f"NameError: name '{name}' is not defined"
    return Met(error, error=error)


def still(written: str) -> Met:
    """Of what gets a value at import that is written so."""
    shown = " ".join(written.split())
    shown = f"`{shown}`" if len(shown) <= _MOST_SHOWN else "as at import"
    return STILL_NONE if written == "None" else Met(f"there it is still {shown}", "changed")


class Setting(Struct, frozen=True):
    """Where the main process sets something (in words, and as a place), and what a worker finds instead."""

    met: Met
    where: str
    site: Site
    is_doubted: bool = False
    """Whether something else may be set there, or workers may set it too."""
    setter: FunctionFacts | None = None
    """The function that sets it, if one does."""
    imported: Site | None = None
    """Where the main process imports the module that does so at import, if that is seen."""
    entered: Site | None = None
    """The call that makes the context in which this is so, if it is only so in one (`with redirect_stdout(file):`)."""

    @property
    def confidence(self) -> Confidence | None:
        """That of the boundary, if a worker surely meets nothing: another value than in the main process may be meant,
        and whether a function has run by then is not seen."""
        if self.is_doubted:
            return Confidence.POSSIBLE
        is_nothing = self.met.error is not None or self.met in (STILL_NONE, STILL_EMPTY, NEVER_FILLED)
        return None if is_nothing and self.where.startswith(_UNDER) else Confidence.LIKELY


class Setter(Struct, frozen=True):
    """A place in a function or at module level that sets something, or may do so. With `outside`, other workers run the
    function, which start those that are judged (`mp.spawn(train)`, which makes a DataLoader); these do not. With
    `apart`, it is the main process, and workers of other boundaries, that run it (the initializer of another pool)."""

    module: Module
    facts: FunctionFacts
    span: Span
    certain: bool
    outside: bool = False
    apart: bool = False


def constant_in(text: str) -> str | None:
    """The constant that a text is nothing but: None, a truth value, a number or a string."""
    text = text.strip()
    return text if _CONSTANT.fullmatch(text) else None


def changes(value: Expr | None, constant: str) -> bool:
    """Whether a value is not known to be that constant."""
    return not isinstance(value, Constant) or repr(value.value) != repr(ast.literal_eval(constant))


def changes_written(value: Expr | None, written: str, module: Module) -> bool:
    """Whether a value that code of the module gives is not known to be the one that is written so at import: a
    constant, or an expression."""
    constant = constant_in(written)
    if constant is not None:
        return changes(value, constant)
    return value is None or module.code[value.span.start : value.span.end] != written


def is_called(setter: FunctionFacts, module: Module, linker: Linker, asker: str, unless: str | None = None) -> bool:
    """Whether the program calls it somewhere, by its name or out of a table, or it is what programs or tests begin
    with: a function that a library has for its users, and does not call itself, changes nothing yet. `unless` is a
    constant: calls with nothing but that do not count."""
    if setter.is_module_body or setter.name == "main" or setter.name in SET_UP or setter.name.startswith(_TEST):
        return True
    if linker.moving_to is not None and linker.declared.is_script(module.name, setter.qualname):
        return True
    name = callable_name(setter)
    others = rf"(?!\s*{re.escape(unless)}\s*\))" if unless is not None else ""
    called = re.compile(rf"(?<!def )\b{re.escape(name)}\({others}")
    if linker.first_party.is_anywhere(Words({name}), asker, called) or is_called_as_kept(setter, module, linker, asker):
        return True
    is_returned = is_given_back(setter, module)
    if linker.moving_to is None:
        return is_returned and is_called(outer_function(setter, module), module, linker, asker)
    if is_returned and is_applied_in_function(outer_function(setter, module).name, linker, asker):
        return True
    decorated = decorated_with(setter, module, linker, asker)
    if any(is_called(each.facts, each.module, linker, asker) for each in decorated if not each.facts.is_local):
        return True
    return _is_registered(setter) or _is_passed_on(name, linker, asker) or is_applied_in_function(name, linker, asker)


def _is_registered(setter: FunctionFacts) -> bool:
    """Whether a decorator may have made a command, a hook or the like of it, which a library calls."""
    return bool(setter.decorators) and not setter.is_local and not setter.decorated_by(*_PLAIN_DECORATORS)


def _is_passed_on(name: str, linker: Linker, asker: str) -> bool:
    """Whether a function is given to something that may call it: `parser.set_defaults(func=run)`, `{"run": run}`. What
    a signal calls is called for that, as a rule long after the workers have started."""
    no_handler = rf"^(?![^\n]*\b\w*signal\w*\([^\n]*\b{re.escape(name)}\b)[^\n]*"
    given = rf"[=:(\[,][ \t]*(?:\w+\.)*{re.escape(name)}[ \t]*(?=[,)}}\]\r\n])"
    passed = re.compile(rf"{no_handler}{given}", re.MULTILINE)
    return linker.first_party.is_anywhere(Words({name}), asker, passed)


def set_by(
    setters: Iterable[Setter], met: Met, linker: Linker, asker: str, constant: str | None = None
) -> Setting | None:
    """How the main process alone gets to places that set something; None if a worker or an import may get to one, or if
    none of them certainly sets it, or sets it when workers start. `constant` is what there is at import, if that is
    known; `asker` is as for `OwnModules.search`."""
    found: list[Setter] = []
    scripts: set[str] = set()
    for setter in setters:
        is_theirs = not (setter.outside or setter.apart)
        is_of_workers = is_theirs and runs_in_workers(setter.facts, setter.module, linker, asker)
        if is_of_workers or runs_on_another_import(setter.facts, setter.module, linker, asker):
            return None
        if not _runs_on_own_import(setter, linker):
            if not runs_in_scripts_alone(setter.facts, setter.module, linker, asker):
                found.append(setter)
        elif setter.module.path == asker or is_imported(setter.module, linker, asker):
            return None
        else:
            scripts.add(setter.module.path)  # Others are not concerned; its own workers import it again.
    for setter in sorted(found, key=lambda setter: setter.module.path != asker):
        is_sure = setter.certain and setter.module.path not in scripts
        if is_sure and is_in_force([setter.span], setter.facts, setter.module, linker, asker, constant):
            site = Site(setter.module, setter.span)
            if setter.facts.is_module_body:
                return under_guard(site, met)
            return by_function(setter.facts, site, met, setter.outside, setter.apart)
    return None


def is_in_force(
    places: Sequence[Span],
    function: FunctionFacts,
    module: Module,
    linker: Linker,
    asker: str,
    constant: str | None,
) -> bool:
    """Whether what a function sets at some places may be so when workers start: it does so before they have all
    started, and does not take it back by then. `constant` is as for `set_by`."""
    return not (
        is_after_workers(places, function, module, linker)
        or all(is_taken_back(each, function, module, linker, asker, constant) for each in places)
    )


def of_the_program(setters: Iterable[Setter], code: WorkerCode, linker: Linker) -> list[Setter]:
    """Those of some setters that stand in modules which the program imports that starts the workers: a script beside
    it, its documentation, another example sets nothing there, nor does the main guard of a module that is imported; nor
    what is taken back before they start."""
    found = list(_through_decorators(setters, linker, code.root.site.module.path))
    if not any(setter.certain for setter in found):
        return []  # nothing comes of them: see `set_by`
    there = modules_of_program(code, linker)
    run = {module.path for module in leading_modules(code, linker)}
    outside = linker.remembered(("outside", code), lambda: _outside(code, linker))
    of_program = (
        replace(each, outside=id(each.facts) in outside)
        for each in found
        if each.module.path in there
        and (each.module.path in run or not _is_guarded(each))
        and not is_held_elsewhere(each.span, each.facts, each.module, code, linker)
    )
    return list(_told_apart(of_program, code, linker))


def told_apart(setters: Iterable[Setter], code: WorkerCode, linker: Linker) -> list[Setter]:
    """Some setters, without those that only workers of other boundaries run; of those that the main process runs, too,
    it is said that these workers do not."""
    asker = code.root.site.module.path
    return list(_told_apart(_through_decorators(setters, linker, asker), code, linker))


def _told_apart(setters: Iterable[Setter], code: WorkerCode, linker: Linker) -> Iterator[Setter]:
    for each in setters:
        if each.outside or not is_of_other_workers(each.facts, each.module, code, linker):
            yield each
        elif is_of_main_too(each.facts, linker, code.root.site.module.path):
            yield replace(each, apart=True)


def _through_decorators(setters: Iterable[Setter], linker: Linker, asker: str) -> Iterator[Setter]:
    """Some setters; instead of a function that a decorator puts around others (`@verbose`), for `migrate`, these: each
    sets it as it is called, if that comes before the call of what is decorated."""
    for each in setters:
        wrapped = decorated_with(each.facts, each.module, linker, asker)
        if not wrapped:
            yield each
        elif is_before_call(each.span, each.facts, each.module):
            for one in wrapped:
                is_sure = is_called(one.facts, one.module, linker, asker)
                yield Setter(one.module, one.facts, one.place, is_sure)


def of_reaching_programs(
    setters: Iterable[Setter], way: Collection[str], linker: Linker, asker: str
) -> Iterator[Setter]:
    """Those of some setters that may be in a program which starts workers on that way: not one that only its own script
    runs, where that imports no module of the way."""
    for setter in setters:
        module = setter.module
        is_script = _is_guarded(setter) or (has_guard(module.code) and not is_imported(module, linker, asker))
        if module.path in way or not is_script:
            yield setter
            continue
        later = imported_by_functions([module], linker)
        if any(each.path in way for each in imported_with([module, *later], linker)):
            yield setter


def _outside(code: WorkerCode, linker: Linker) -> frozenset[int]:
    """The ids of the functions that workers do not run, but the process that starts them, if that is a worker of
    others."""
    own = {id(each.facts) for each in (*code.functions, *code.by_value)}
    asker = code.root.site.module.path
    found = set[int]()
    for each in linker.worker_codes():
        if each is not code and each.root.site.module.path == asker and _starts(each, code):
            found.update(id(function.facts) for function in each.functions)
    return frozenset(found - own)


def _starts(outer: WorkerCode, code: WorkerCode) -> bool:
    """Whether a function that some workers run is on the way to the start of others."""
    return any(outer.function_around(site) is not None for site in code.way)


def modules_of_program(code: WorkerCode, linker: Linker) -> frozenset[str]:
    """The paths of the modules that the program imports which starts the workers: at import, in functions of the
    modules on the way to that, or as workers run."""
    starts = leading_modules(code, linker)
    later = imported_by_functions([*starts, *(each.module for each in code.functions)], linker)
    return frozenset(module.path for module in imported_with([*starts, *later], linker))


def _is_guarded(setter: Setter) -> bool:
    return setter.facts.is_module_body and guard_of(setter.span.start, setter.module) is not None


def under_guard(site: Site, met: Met) -> Setting:
    """Set under the main guard, at that place."""
    block = site.module.outline.block_at(site.span.start)
    head = site.module.facts.text(block).partition("\n")[0].strip() if block is not None else ""
    is_other = head.startswith("if ") and any(name in head for name in _OTHER_GUARDS)
    return Setting(met, f"{_UNDER}{head[3:] if is_other else _OF_SCRIPT}`", site)


def by_function(setter: FunctionFacts, site: Site, met: Met, outside: bool = False, apart: bool = False) -> Setting:
    """Set by a function, at that place of it; with `outside`, in the worker that starts those which are judged; with
    `apart`, by the main process and by other workers."""
    how = "which these workers do not call" if apart else "which no worker calls"
    how = "in the process that starts them" if outside else how
    return Setting(met, f"by `{setter.name}()`, {how}", site, setter=setter)


def _runs_on_own_import(setter: Setter, linker: Linker) -> bool:
    if setter.facts.is_module_body:
        return guard_of(setter.span.start, setter.module) is None
    return runs_on_import(setter.facts, setter.module, linker)


def is_before_workers(span: Span, function: FunctionFacts, linker: Linker) -> bool:
    """Whether a place of a function comes before the last start of workers there, if it starts any."""
    started = [each.site.span.start for each in linker.boundary_calls() if each.frame.function is function]
    return not started or span.end <= max(started)


def setter_at(module: Module, function: FunctionFacts, span: Span, linker: Linker, asker: str) -> Setter:
    """What sets something at a place of a function; for certain if that is called, and comes there before it starts
    workers."""
    certain = is_before_workers(span, function, linker) and is_called(function, module, linker, asker)
    return Setter(module, function, span, certain)


def is_mentioned(attribute: str, code: WorkerCode, linker: Linker) -> bool:
    """Whether code of the workers reads an attribute of that name."""
    question = ("attributes that workers read", code)
    return attribute in linker.remembered(question, lambda: frozenset().union(*map(_attributes_read, code.functions)))


def _attributes_read(function: WorkerFunction) -> frozenset[str]:
    module, span = function.module, function.facts.span

    def find() -> frozenset[str]:
        return frozenset(plain or asked for plain, asked in _READS_ATTRIBUTE.findall(module.code, span.start, span.end))

    return module.remembered(("attributes read", span), find)
