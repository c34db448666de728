"""Functions that cross by their names, and that are others in workers: the main process gives them other defaults, or
binds their names to wrappers of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.object_changes import changes_in, rebound
from lintpickle.analyses.main_state.global_setters import setters_of, value_set
from lintpickle.analyses.main_state.main_setters import Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.main_state.read_objects import Owner, Reading, owner_of
from lintpickle.interpreter.abstract_values import FunctionValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_PARTS = frozenset({"__defaults__", "__kwdefaults__", "__code__"})
"""The attributes of a function that say what a call of it does."""


def functions_changed(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The functions that run in the workers of a boundary and that only the main process changes so. For `migrate`."""
    asker = code.root.site.module.path
    for function in code.functions if linker.moving_to is not None else ():
        facts, module = function.facts, function.module
        if facts.is_local or facts.qualname != facts.name or not module.first_party:
            continue
        owner = owner_of(facts.name, module, linker)
        if owner is None or not isinstance(owner.value, FunctionValue) or owner.value.facts is not facts:
            continue
        setters = [*_given_parts(owner, linker, asker), *(_wrapped(owner, linker, asker) if function.entry else ())]
        setting = set_by(of_the_program(setters, code, linker), owner.still, linker, asker)
        if setting is not None:
            yield function, Reading(facts.name, facts.header, False), setting


def _given_parts(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    form = re.compile(rf"\b{re.escape(owner.name)}\s*\.\s*(?:{'|'.join(sorted(_PARTS))})\s*=(?!=)")
    for root in linker.activations_with({owner.name}, form, asker):
        for span, attribute in changes_in(root, owner, linker):
            if attribute in _PARTS:
                yield setter_at(root.frame.module, root.function, span, linker, asker)


def _wrapped(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where a function binds the name to what `functools.wraps` has given that name: pickle finds the first one."""
    module = owner.module
    setting = setters_of(owner.name, module)
    if not setting:
        return
    for root in linker.activations_with({owner.name}, re.compile(rf"\b{re.escape(owner.name)}\b"), asker):
        value = value_set(owner.name, root.function) if root.function in setting else None
        values = [traced.value for traced in linker.evaluate(value, root.frame)] if value is not None else []
        if any(isinstance(each, FunctionValue) and each.facts.decorated_by("wraps") for each in values):
            for span in rebound(owner.name, root.function, module):
                yield setter_at(module, root.function, span, linker, asker)
