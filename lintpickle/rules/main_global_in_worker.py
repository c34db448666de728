from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import FunctionFacts
from lintpickle.project.link import Linker
from lintpickle.project.module import Module
from lintpickle.project.names import declared_global
from lintpickle.project.things import Hop, Site
from lintpickle.project.worker import WorkerCode, WorkerFunction
from lintpickle.rules.base import PICKLING_START_METHODS, Hazard, Rule
from lintpickle.rules.worker_functions import is_forked
from lintpickle.source.outline import Plot

_GUARD = re.compile(r"if\s+\(?\s*(?:__name__\s*==\s*['\"]__main__['\"]|['\"]__main__['\"]\s*==\s*__name__)")
_OTHER_BRANCH = re.compile(r"^(?:else|elif)\b", re.MULTILINE)
_BUILTINS = frozenset(dir(builtins))


class _Setting(Struct, frozen=True):
    """Where the main process sets a global, and what a worker meets instead."""

    where: str
    site: Site
    error: str | None
    """None for a variable that is there, but still None."""


class MainGlobalInWorker(Rule):
    """A global variable that a worker's function reads, but that only the main process sets."""

    code = "LP208"
    name = "main-global-in-worker"
    message = "`{function}` runs in workers and reads the global `{name}`, which is set only {where}: {outcome}"
    help = "pass it as an argument, keep it on the object, or set it in an `initializer` or `worker_init_fn`"
    words = frozenset({"__main__", "global "})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        for function in code.functions if not is_forked(code.root) else ():
            module = function.module
            if not module.first_party or module.document.cells is not None or "globals()" in module.code:
                continue
            if _guard_of(function.facts.span.start, module) is not None:
                continue
            for name, span in function.facts.reads.items():
                setting = _setting(name, function, linker)
                if setting is not None:
                    yield Hazard(
                        site=Site(module, span),
                        noun="read in the worker",
                        error=setting.error,
                        data={
                            "function": function.facts.name,
                            "name": name,
                            "where": setting.where,
                            "outcome": setting.error or "there it is still None",
                        },
                        hops=(*function.hops, Hop("the main process sets it here", setting.site)),
                        start_methods=PICKLING_START_METHODS,
                    )


def _setting(name: str, function: WorkerFunction, linker: Linker) -> _Setting | None:
    """How the main process alone comes to have the global; None where workers have it as well."""
    module = function.module
    outline = module.outline
    if name in _BUILTINS or name in outline.imports or outline.stars:
        return None
    setters = tuple(_setters(name, module))
    if any(_runs_in_workers(setter, linker) or _runs_on_import(setter, module) for setter in setters):
        return None
    plots = outline.binding(name)
    error = f"NameError: name '{name}' is not defined"
    if not plots and setters:
        return _by_function(setters[0], module, error)
    if plots and all(_is_guard(plot, module) for plot in plots):
        return _Setting('under `if __name__ == "__main__":`', _place(name, plots[0], module), error)
    if plots and setters and all(_is_none(name, plot, module) for plot in plots) and not _asks(name, function):
        return _by_function(setters[0], module, None)
    return None


def _by_function(setter: FunctionFacts, module: Module, error: str | None) -> _Setting:
    return _Setting(f"by `{setter.name}()`, which no worker calls", Site(module, setter.header), error)


def _guard_of(offset: int, module: Module) -> Plot | None:
    plots = (plot for plot in module.outline.plots if plot.span.start <= offset < plot.span.end)
    return next((plot for plot in plots if _is_guard(plot, module)), None)


def _is_guard(plot: Plot, module: Module) -> bool:
    text = module.facts.text(plot)
    return _GUARD.match(text) is not None and _OTHER_BRANCH.search(text) is None


def _place(name: str, plot: Plot, module: Module) -> Site:
    """Where a plot gives the name its value, or where the plot begins."""
    room = module.room(plot)
    value = room.values.get(name) if room is not None else None
    return Site(module, value.span if value is not None else plot.span)


def _is_none(name: str, plot: Plot, module: Module) -> bool:
    text = module.facts.text(plot)
    return re.fullmatch(rf"{re.escape(name)}\s*(?::[^=\n]+)?=\s*None\s*(?:#.*)?", text.strip()) is not None


def _setters(name: str, module: Module) -> Iterator[FunctionFacts]:
    """The functions of the module that declare the name global."""
    if "global " not in module.code:
        return
    declared = declared_global(name)
    for plot in module.outline.plots:
        room = module.room(plot) if declared.search(module.code, plot.span.start, plot.span.end) else None
        stack = list(room.body.functions) if room is not None else []
        for class_ in room.body.classes if room is not None else ():
            stack += methods_holding(class_.methods, declared, module.code)
        while stack:
            facts = stack.pop()
            if name in facts.globals_declared and name in facts.variables:
                yield facts
            stack.extend(facts.functions)


def _runs_in_workers(setter: FunctionFacts, linker: Linker) -> bool:
    return any(function.facts is setter for code in linker.worker_codes() for function in code.functions)


def _runs_on_import(setter: FunctionFacts, module: Module) -> bool:
    """Whether the module's own code may call it: its name is used outside of definitions and of the main guard."""
    called = re.compile(rf"\b{re.escape(setter.name)}\b")
    return any(
        called.search(module.code, plot.span.start, plot.span.end) and not _is_guard(plot, module)
        for plot in module.outline.plots
        if not module.code.startswith(("def ", "class ", "async def ", "@"), plot.span.start)
    )


def _asks(name: str, function: WorkerFunction) -> bool:
    """Whether the function looks if the global is set."""
    span = function.facts.span
    text = function.module.code[span.start : span.end]
    word = re.escape(name)
    return re.search(rf"\b(?:if|not|assert|or|and|while)\s+{word}\b|\b{word}\s+is\b", text) is not None
