"""Where code gives a module of the program values by names that it does not write out there:
`vars(sys.modules["params"]).update(SCENARIOS[name])`, `setattr(params, key, value)`. For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.fields_set import gets_any_attribute
from lintpickle.analyses.main_state.main_setters import Setter, is_called
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Argument, Call, Constant, Expr, Item, chain, without_narrowing
from lintpickle.interpreter.abstract_values import ModuleValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_WORDS = frozenset({"vars", "__dict__", "setattr"})
_STORING = re.compile(r"\b(?:vars|setattr)\(|\.__dict__\b")


def stored_in_module(owner: Owner, linker: Linker, asker: str) -> Iterator[tuple[Setter, bool]]:
    """Where code puts values into the dict of the module that holds a global, each with whether the global's name
    surely is among the keys: the module that does so writes a dict with that key."""
    stores = linker.remembered(("stores in modules",), lambda: tuple(_stores(linker, asker)))
    for root, span, module in stores:
        if module is owner.module:
            home, facts = root.frame.module, root.function
            yield Setter(home, facts, span, is_called(facts, home, linker, asker)), _writes_key(owner.name, home)


def _stores(linker: Linker, asker: str) -> Iterator[tuple[RootFrame, Span, Module]]:
    """All such places of the program, each with the module."""
    for root in linker.activations_with(_WORDS, _STORING, asker):
        for event in root.function.events:
            given = gets_any_attribute(event)
            module = _module(given[0], root, linker) if given is not None else None
            if module is not None:
                yield root, event.span, module


def _module(value: Expr, root: RootFrame, linker: Linker) -> Module | None:
    """The module that an expression is: an imported one, or one that is looked up by a text."""
    name, home = _looked_up(without_narrowing(value)), root.frame.module
    if name is not None:
        return linker.program.find(name, home)
    match [traced.value for traced in linker.evaluate(value, root.frame)]:
        case [ModuleValue(name=path)]:
            return linker.program.find(path, home)
        case _:
            return None


def _looked_up(value: Expr) -> str | None:
    match value:
        case Item(base=modules, key=Constant(value=str(name))) if chain(modules) == ("sys", "modules"):
            return name
        case Call(function=function, arguments=(Argument(value=Constant(value=str(name))),)) if chain(function) in (
            ("importlib", "import_module"),
            ("import_module",),
        ):
            return name
        case _:
            return None


def _writes_key(name: str, module: Module) -> bool:
    return re.search(rf"""["']{re.escape(name)}["']\s*:""", module.code) is not None
