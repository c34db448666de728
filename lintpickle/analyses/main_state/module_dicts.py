"""Where code gives a module of the program values by names that it does not write out there:
`vars(sys.modules["params"]).update(SCENARIOS[name])`, `setattr(params, key, value)`; or by such that it does, where the
module is what callers of a function give it. For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.main_state.fields_set import gets_any_attribute
from lintpickle.analyses.main_state.main_setters import Setter, is_called
from lintpickle.analyses.main_state.modules_named import is_given_module, modules_meant
from lintpickle.analyses.main_state.names_in_tables import names_gone_through
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Store
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_WORDS = frozenset({"vars", "__dict__", "setattr"})
_STORING = re.compile(r"\b(?:vars|setattr)\(|\.__dict__\b")


class _Stores(Struct, frozen=True):
    """A place that stores on a module, or on what is given and may be one (None), and under which names, if these are
    seen."""

    root: RootFrame
    span: Span
    module: Module | None
    names: frozenset[str] | None


def stored_by_any_name(name: str, module: Module, linker: Linker, asker: str) -> Iterator[tuple[Setter, bool]]:
    """Where code gives a module attributes whose names are not written out, each with whether this one surely is among
    them: it is one of a display that the code goes through, or the module that does so writes a dict with that key."""
    for each in _known(linker, asker):
        if each.module is module and (each.names is None or name in each.names):
            home, facts = each.root.frame.module, each.root.function
            is_sure = each.names is not None or _writes_key(name, home)
            yield Setter(home, facts, each.span, is_called(facts, home, linker, asker)), is_sure


def stored_by_its_name(name: str, module: Module, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where code stores an attribute on a module that it looks up, or that callers of a function give it."""
    by_text = rf"""\bsetattr\([^,\n]+,\s*["']{name}["']"""
    form = re.compile(rf"\.\s*{name}\s*(?::[^=\n]+)?=(?!=)|{by_text}")
    for root in linker.activations_with({name}, form, asker):
        home, facts = root.frame.module, root.function
        for event in facts.events:
            if not isinstance(event, Store) or event.attribute != name:
                continue
            if any(each is module for each in modules_meant(event.target, root, linker, asker)):
                yield Setter(home, facts, event.span, is_called(facts, home, linker, asker))


def stored_on_what_is_given(name: str, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where code may give a module such attributes, of which it is not seen what that is: no call gives it."""
    for each in _known(linker, asker):
        if each.module is None and (each.names is None or name in each.names):
            yield Setter(each.root.frame.module, each.root.function, each.span, False)


def _known(linker: Linker, asker: str) -> tuple[_Stores, ...]:
    return linker.remembered(("stores in modules", asker), lambda: tuple(_stores(linker, asker)))


def _stores(linker: Linker, asker: str) -> Iterator[_Stores]:
    """All such places of the program."""
    for root in linker.activations_with(_WORDS, _STORING, asker):
        for event in root.function.events:
            given = gets_any_attribute(event)
            if given is not None:
                names = names_gone_through(given[1], root.frame.module, linker)
                modules = list(modules_meant(given[0], root, linker, asker))
                yield from (_Stores(root, event.span, each, names) for each in modules)
                if not modules and is_given_module(given[0]):
                    yield _Stores(root, event.span, None, names)


def _writes_key(name: str, module: Module) -> bool:
    return re.search(rf"""["']{re.escape(name)}["']\s*:""", module.code) is not None
