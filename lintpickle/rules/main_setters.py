"""What of a program only the main process sets, and where it does: not a rule itself."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.project.link import Linker
from lintpickle.project.module import Module
from lintpickle.project.things import Site
from lintpickle.source.outline import Plot
from lintpickle.source.words import Words

_GUARD = re.compile(r"if\s+\(?\s*(?:__name__\s*==\s*['\"]__main__['\"]|['\"]__main__['\"]\s*==\s*__name__)")
_OTHER_BRANCH = re.compile(r"^(?:else|elif)\b", re.MULTILINE)
STILL_NONE = "there it is still None"
_UNDER_GUARD = 'under `if __name__ == "__main__":`'


class Setting(Struct, frozen=True):
    """How the main process comes to have something ("set", "filled", "configured"), where, and what a worker meets
    instead: an error, or the value that it has at import."""

    how: str
    where: str
    site: Site
    outcome: str
    error: str | None = None


class Setter(Struct, frozen=True):
    """A place that sets something, in a function or at module level; of some it is not certain that they do."""

    module: Module
    facts: FunctionFacts
    span: Span
    certain: bool


def set_by(setters: Iterable[Setter], outcome: str, linker: Linker, asker: str, how: str = "set") -> Setting | None:
    """How the main process alone gets to places that set something; None if a worker or an import may get to one, or if
    none of them certainly sets it. `asker` is as for `OwnModules.search`."""
    found: list[Setter] = []
    scripts: set[str] = set()
    for setter in setters:
        if _runs_in_workers(setter.facts, linker, asker) or _runs_on_another_import(setter, linker, asker):
            return None
        if not _runs_on_own_import(setter):
            found.append(setter)
        elif setter.module.path == asker or is_imported(setter.module, linker, asker):
            return None
        else:
            scripts.add(setter.module.path)  # Others are not concerned; its own workers import it again.
    for setter in sorted(found, key=lambda setter: setter.module.path != asker):
        if setter.certain and setter.module.path not in scripts:
            site = Site(setter.module, setter.span)
            if setter.facts.is_module_body:
                return under_guard(site, outcome, how=how)
            return by_function(setter.facts, site, outcome, how=how)
    return None


def under_guard(site: Site, outcome: str, error: str | None = None, how: str = "set") -> Setting:
    """Set under the main guard, at that place."""
    return Setting(how, _UNDER_GUARD, site, outcome, error)


def by_function(setter: FunctionFacts, site: Site, outcome: str, error: str | None = None, how: str = "set") -> Setting:
    """Set or filled by a function, at that place of it."""
    return Setting(how, f"by `{setter.name}()`, which no worker calls", site, outcome, error)


def guard_of(offset: int, module: Module) -> Plot | None:
    """The main guard in which an offset of the text lies."""
    plot = module.outline.plot_at(offset)
    return plot if plot is not None and is_guard(plot, module) else None


def is_guard(plot: Plot, module: Module) -> bool:
    """Whether a plot is a main guard without another branch."""
    text = module.facts.text(plot)
    return _GUARD.match(text) is not None and _OTHER_BRANCH.search(text) is None


def runs_elsewhere(setter: FunctionFacts, module: Module, linker: Linker, asker: str) -> bool:
    """Whether a function runs in workers as well, or when its module is imported."""
    return _runs_in_workers(setter, linker, asker) or _runs_on_import(setter, module)


def _runs_in_workers(setter: FunctionFacts, linker: Linker, asker: str) -> bool:
    """Whether workers run it that the asker's own boundaries start, or something names it as what workers begin with.
    (What other modules' workers run is not asked: in a run that judges some modules alone, it is not known.)"""
    codes = (code for code in linker.worker_codes() if code.root.site.module.path == asker)
    if any(function.facts is setter for code in codes for function in code.functions):
        return True
    if setter.is_module_body:
        return False
    begins = re.compile(rf"\b(?:worker_init_fn|initializer)\s*=\s*(?:\w+\.)*{re.escape(setter.name)}\b(?!\s*\()")
    return any(True for _ in linker.own.naming(Words({setter.name}), asker, begins))


def _runs_on_own_import(setter: Setter) -> bool:
    if setter.facts.is_module_body:
        return guard_of(setter.span.start, setter.module) is None
    return _runs_on_import(setter.facts, setter.module)


def _runs_on_import(setter: FunctionFacts, module: Module) -> bool:
    """Whether a module's own code may call it: its name is used outside of definitions and of the main guard."""
    called = re.compile(rf"\b{re.escape(_called_as(setter))}\b")
    return any(
        called.search(module.code, plot.span.start, plot.span.end) and not is_guard(plot, module)
        for plot in module.outline.plots
        if not module.code.startswith(("def ", "class ", "async def ", "@"), plot.span.start)
    )


def _called_as(function: FunctionFacts) -> str:
    """The name by which code calls it: of `__init__` and other special methods, that of the class."""
    owner = function.qualname.rpartition(".")[0].rpartition(".")[2]
    return owner if function.name.startswith("__") and owner else function.name


def _runs_on_another_import(setter: Setter, linker: Linker, asker: str) -> bool:
    """Whether a module that names the setter's own may call it when it is imported, outside of its main guard."""
    home = setter.module
    own_name = Words({home.name.rpartition(".")[2]})
    others = linker.own.naming(Words({_called_as(setter.facts)}), asker) if not setter.facts.is_module_body else ()
    return any(
        _runs_on_import(setter.facts, module)
        for module in others
        if module is not home and own_name.stand_alone_in(module.code)
    )


def is_imported(module: Module, linker: Linker, asker: str) -> bool:
    """Whether another module of the program names this one."""
    naming = linker.own.texts_naming(Words({module.name.rpartition(".")[2]}), asker)
    return any(path != module.path for path, _ in naming)
