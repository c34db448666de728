"""What workers read of the values that each process makes anew at import."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from lintpickle.analyses.at_import.fresh_values import Fresh, fresh_values
from lintpickle.analyses.at_import.import_statements import calls_at_import
from lintpickle.analyses.at_import.import_time import guard_of, runs_later
from lintpickle.analyses.calls_and_values.shown_values import is_only_written
from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.named_by_workers import is_stored_by_name_in_workers
from lintpickle.analyses.main_state.read_objects import names_read_by, place_read
from lintpickle.analyses.workers.several_workers import initializers
from lintpickle.diagnostics import Span
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_SEEDS = re.compile(r"(?:^|[._])(?:seed(?:_everything|_all)?|\w*seeds?)$")
_PARTS = 2
"""So many attributes stand behind a name at most: `conf.CONFIG.run_id`."""


class FreshRead(Struct, frozen=True):
    """A place where a worker's function reads such a value of a module, under a name."""

    function: WorkerFunction
    home: Module
    fresh: Fresh
    written: str
    span: Span
    is_of_main: bool
    """Whether code of the main process uses the value, too."""


def fresh_read(code: WorkerCode, linker: Linker) -> Iterator[FreshRead]:
    """The values of each process's own that the workers of a boundary read, each once; last, a time that only goes into
    the text of a file."""
    told: set[tuple[str, Span]] = set()
    only_written = list[FreshRead]()
    for function in code.functions:
        module = function.module
        if not module.first_party or module.document.cells is not None or not function.facts.reads:
            continue
        if guard_of(function.facts.span.start, module) is not None:
            continue
        for home, name, written, place in read_of(function, fresh_values, linker):
            fresh = fresh_values(home, linker)[name]
            if (home.path, fresh.span) in told or _is_stored_by_workers(name, home, code, linker):
                continue
            if fresh.spec.is_time and is_only_written(written, function.frame.paths.tree):
                only_written.append(FreshRead(function, home, fresh, written, place, False))
            elif _differs(fresh, home, code, linker):
                told.add((home.path, fresh.span))
                yield FreshRead(function, home, fresh, written, place, _is_used_by_main(fresh, home, code, linker))
    yield from (each for each in only_written if (each.home.path, each.fresh.span) not in told)


def _is_stored_by_workers(name: str, home: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether workers store an attribute of that name themselves, as their initializer does, or may store any of the
    class."""
    owner, _, attribute = name.rpartition(".")
    if not owner:
        return False
    blocks = home.outline.binding(owner)
    if any(is_stored_by_name_in_workers(attribute, block, home, code, linker) for block in blocks):
        return True
    storing = re.compile(rf"\.{re.escape(attribute)}\s*=(?!=)")
    functions = (*code.functions, *initializers(code, linker))
    return any(storing.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in functions)


def read_of(
    function: WorkerFunction, values_of: Callable[[Module, Linker], Mapping[str, object]], linker: Linker
) -> Iterator[tuple[Module, str, str, Span]]:
    """Those of certain globals that a function reads: the module, the name there, and the name and place in the
    function. `values_of` gives those of a module by their names."""
    for written in names_read_by(function, linker):
        head, *rest = written.split(".")
        if head not in function.facts.reads:
            continue
        for short in (".".join((head, *rest[:count])) for count in range(min(len(rest), _PARTS) + 1)):
            found = _home_of(short, function.module, values_of, linker)
            place = place_read(short, function) if found is not None else None
            if found is not None and place is not None:
                yield *found, short, place
                break


def _home_of(
    written: str, module: Module, values_of: Callable[[Module, Linker], Mapping[str, object]], linker: Linker
) -> tuple[Module, str] | None:
    """The module and the name there of one of those globals, by the name that a module has for it."""
    name = written.rpartition(".")[2]
    for home, block in linker.own_places.of_name(module, written):
        if not home.first_party or home.document.cells is not None:
            continue
        values = values_of(home, linker) if block.names else {}
        for key in (name, f"{block.names[0]}.{name}" if block.is_class else name):
            if key in values and key.partition(".")[0] in block.names:
                return home, key
    owner = written.rpartition(".")[0]
    for home, block in linker.own_places.of_name(module, owner) if owner else ():
        key = f"{block.names[0]}.{name}" if block.names else ""
        if home.first_party and home.document.cells is None and not block.is_class and key in values_of(home, linker):
            return home, key
    return None


def _differs(fresh: Fresh, home: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether processes really differ in a value: they do not if the import seeds its numbers, or if nobody does what
    makes the difference."""
    spec, asker = fresh.spec, code.root.site.module
    imported = imported_with((asker, home), linker) if spec.seeded else ()
    if any(_seeds(module, linker) for module in imported if module.first_party):
        return False
    if not spec.after:
        return True
    word = spec.after.rpartition(".")[2]
    called = re.compile(rf"\b{re.escape(word)}\s*\(")
    there = {module.path for module in _of_the_program(code, linker)}
    return any(
        _is_done_later(called, module)
        for module in linker.first_party.naming_in_text(Words({word}), asker.path, called)
        if module.path in there
    )


def _is_done_later(form: re.Pattern[str], module: Module) -> bool:
    """Whether a form stands in code of a module that does not run when it is imported."""
    blocks = (module.outline.block_at(found.start()) for found in form.finditer(module.code))
    return any(block is not None and runs_later(block, module) for block in blocks)


def _seeds(module: Module, linker: Linker) -> bool:
    """Whether importing a module seeds random numbers, as far as names tell."""
    return any(_SEEDS.search(dotted(each.call.func)) for each in calls_at_import(module, linker))


def _is_used_by_main(fresh: Fresh, home: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether code that no worker runs uses what a call has made: a function, or what stands under a main guard; or
    whether it calls a function of the workers."""
    asker = code.root.site.module.path
    names = {key.rpartition(".")[2] for key, each in fresh_values(home, linker).items() if each.span == fresh.span}
    form = re.compile(rf"(?<![\w'\"])(?:{'|'.join(map(re.escape, sorted(names)))})\b(?!\s*=[^=])")
    there = {module.path for module in _of_the_program(code, linker)}
    for module in linker.first_party.naming_in_text(Words(names), asker, form):
        if module.path not in there:
            continue
        running = [each.facts.span for each in code.functions if each.module is module]
        for found in form.finditer(module.code):
            block = module.outline.block_at(found.start())
            is_later = block is not None and runs_later(block, module)
            if is_later and not any(span.start <= found.start() < span.end for span in running):
                return True
    return any(_is_called_by_main(each, form, code, linker) for each in code.functions if each.module.first_party)


def _of_the_program(code: WorkerCode, linker: Linker) -> tuple[Module, ...]:
    """The modules that are imported where the workers start."""
    return imported_with((site.module for site in code.way), linker)


def _is_called_by_main(function: WorkerFunction, form: re.Pattern[str], code: WorkerCode, linker: Linker) -> bool:
    """Whether a function of the workers in which a form stands is called by the main process, too."""
    facts, module = function.facts, function.module
    if form.search(module.code, facts.span.start, facts.span.end) is None:
        return False
    calls = calls_by_main(facts, code, linker, code.root.site.module.path)
    return next(calls, None) is not None
