"""Functions that hand out a module-level object, or a part of it: `def current(): return _values`."""

from __future__ import annotations

import re

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call, Expr, chain, rooted, whole_of, without_narrowing
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module


def handing_out(owner: Owner, linker: Linker) -> tuple[str, ...]:
    """The names of the functions of the owner's module that return nothing but the object, or what it has under a key
    (`return _chains[name]`). For `migrate`."""
    if linker.moving_to is None:
        return ()
    form = re.compile(rf"\breturn\s+{re.escape(owner.name)}\b")
    question = ("functions handing out", owner.name)

    def find() -> tuple[str, ...]:
        found = functions_of(owner.module, form, lambda facts: _hands_out(owner.name, facts))
        return tuple(dict.fromkeys(facts.name for facts in found))

    return owner.module.remembered(question, find)


def _hands_out(name: str, facts: FunctionFacts) -> bool:
    is_function = facts.qualname == facts.name and not facts.decorators and not facts.is_generator
    return is_function and bool(facts.returns) and all(chain(whole_of(each)) == (name,) for each in facts.returns)


def handed_out(target: Expr, owner: Owner, module: Module, linker: Linker) -> tuple[str, ...] | None:
    """What of an object an expression is that begins with a call of a function that hands it out: as
    `object_changes.path_within`."""
    root, names = rooted(target)
    root = without_narrowing(root)
    called = chain(root.function) if isinstance(root, Call) else None
    if called is None or called[-1] not in handing_out(owner, linker):
        return None
    places = linker.own_places.of_name(module, ".".join(called))
    return names if any(home is owner.module for home, _ in places) else None
