"""The modules whose code leads to the start of workers by calls, as far as names tell: a script that calls `process()`
of the module which makes the pool. For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.imported_modules import imported_by_functions, imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module
from lintpickle.source.file_kinds import PlaceKind

_DEEPEST = 4
"""How many calls are followed back."""


def leading_modules(code: WorkerCode, linker: Linker) -> tuple[Module, ...]:
    """The modules on the way to the start of the workers, and those that call the function which starts them, directly
    or by way of others; no tests and examples."""
    way = tuple(dict.fromkeys(site.module for site in code.way))
    if linker.moving_to is None or code.boundary is None:
        return way
    start = code.boundary.frame
    question = ("leading modules", start.module.path, start.function.span)
    callers = linker.remembered(question, lambda: tuple(_calling(start.function, start.module, linker)))
    return tuple(dict.fromkeys((*way, *callers)))


def _calling(function: FunctionFacts, module: Module, linker: Linker) -> Iterator[Module]:
    waiting, seen = [(function, module)], {id(function)}
    for _ in range(_DEEPEST):
        found = [each for called, home in waiting for each in _callers(called, home, linker)]
        waiting = [(caller, home) for caller, home in found if id(caller) not in seen]
        seen.update(id(caller) for caller, _ in waiting)
        yield from (home for _, home in waiting)


def _callers(function: FunctionFacts, module: Module, linker: Linker) -> Iterator[tuple[FunctionFacts, Module]]:
    if function.is_module_body or function.is_local:
        return
    owner = re.compile(rf"\b{re.escape(function.qualname.partition('.')[0])}\b")
    for home, caller, _ in calls_by_name(function, module.path, linker):
        if home is module or (owner.search(home.code) is not None and _imports(home, module, linker)):
            yield caller, home


def _imports(home: Module, module: Module, linker: Linker) -> bool:
    is_told = linker.purposes.kind(home.path) is PlaceKind.LIBRARY
    return is_told and module in imported_with([home, *imported_by_functions([home], linker)], linker)
