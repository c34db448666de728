"""Attributes that `__getstate__` leaves out, that a method which only the main process calls has stored by then, and
that workers read: they find none, or what the class has in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, is_me, plain_ancestors
from lintpickle.analyses.main_state.main_setters import (
    Met,
    Setter,
    Setting,
    changes_written,
    of_the_program,
    set_by,
    setter_at,
)
from lintpickle.analyses.pickle_hooks.dropped_state import asks_whether_it_is_there, sets_anything
from lintpickle.analyses.workers.given_at_start import methods_of_given
from lintpickle.analyses.workers.worker_reads import READ
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.interpreter.hook_runs import Fate
from lintpickle.interpreter.pickling_hooks import Shipped
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_SENDING, _ARRIVING = "__getstate__", "__setstate__"
OwnStores = list[tuple[ClassValue, FunctionFacts, Store]]
_NOTHING = re.compile(r"None|\[\s*\]|\{\s*\}|\(\s*\)|(?:dict|list|set|tuple)\(\s*\)|\"\"|''|0")
_TRUTH = re.compile(r"True|False")
_TESTED = (
    r"{me}\.{name}\s+(?:is|and|or|if|else|==|!=)\b"
    r"|\b(?:if|elif|not|while|and|or|assert|bool\()\s*{me}\.{name}\s*[:),\n]"
)
"""How a method asks whether an attribute holds anything."""


class LeftOut(Struct, frozen=True):
    """An attribute that what stands at `by` leaves out, and where a worker reads it; `default` is what it finds there
    (as it is written in a class), if not nothing. Not `certain` if the readers may be meant to find that."""

    class_: ClassValue
    attribute: str
    by: Site
    reader: WorkerFunction
    read: Span
    default: str | None
    setting: Setting
    certain: bool

    @property
    def error(self) -> str | None:
        """How the read ends."""
        name = self.class_.facts.name
        return None if self.default else f"AttributeError: '{name}' object has no attribute '{self.attribute}'"


def left_out(class_: ClassValue, code: WorkerCode, linker: Linker) -> Iterator[LeftOut]:
    """The attributes of a class that are left out though workers read what the main process has stored there."""
    classes = linker.classes
    sending = classes.find_method(class_, _SENDING)
    line = tuple(each for each in classes.mro(class_) if isinstance(each, ClassValue))
    if sending is None or plain_ancestors(class_, classes) is None:
        return
    arriving = [each.facts.methods[_ARRIVING] for each in line if _ARRIVING in each.facts.methods]
    if defines(line, *REDUCERS, "__getattr__", "__getattribute__") or any(map(sets_anything, arriving)):
        return
    given = methods_of_given(class_, code, linker)
    running = {id(each.facts): each for each in (*given, *code.functions, *code.by_value)}
    shipped = Shipped(linker.activations.instance(class_), linker.evaluator)
    for attribute, stores in stored_on_self(line).items():
        if any(id(method) in running or method.name == _ARRIVING for _, method, _ in stores):
            continue
        if any(attribute in each.facts.methods for each in line) or shipped.fate(attribute) is not Fate.LEFT_OUT:
            continue
        found = first_worker_read(attribute, line, running)
        if found is None or asks_whether_it_is_there(attribute, line):
            continue
        default = _default(attribute, line)
        is_tested = default is not None and is_tested_by_class(attribute, line)
        if is_tested and not _TRUTH.fullmatch(default or ""):
            continue
        setting = _setting(stores, default, code, linker)
        if setting is not None:
            by = Site(sending[0].module, sending[1].header)
            yield LeftOut(class_, attribute, by, *found, default, setting, not is_tested)


def stored_on_self(line: tuple[ClassValue, ...]) -> dict[str, OwnStores]:
    """The attributes that methods store on their own object, with where they do so."""
    found: dict[str, OwnStores] = {}
    for each in line:
        for method in each.facts.methods.values():
            for event in method.events:
                if isinstance(event, Store) and is_me(event.target, method) and not event.attribute.startswith("__"):
                    found.setdefault(event.attribute, []).append((each, method, event))
    return found


def first_worker_read(
    attribute: str, line: tuple[ClassValue, ...], running: dict[int, WorkerFunction]
) -> tuple[WorkerFunction, Span] | None:
    """Where a method that workers run first reads an attribute of its object."""
    for each in line:
        for method in each.facts.methods.values():
            if id(method) in running and method.parameters:
                form = re.compile(READ.format(me=re.escape(method.parameters[0].name), name=re.escape(attribute)))
                place = outside_comments(form, each.module.code, method.header.end, method.span.end)
                if place is not None:
                    return running[id(method)], place
    return None


def _default(attribute: str, line: tuple[ClassValue, ...]) -> str | None:
    """What the class has under the name of the attribute, as it is written there."""
    for each in line:
        value = each.facts.body.get(attribute)
        if value is not None:
            return each.module.code[value.span.start : value.span.end]
    return None


def is_tested_by_class(attribute: str, line: tuple[ClassValue, ...]) -> bool:
    """Whether a method asks whether an attribute of its object holds anything."""
    for each in line:
        for method in each.facts.methods.values():
            me = re.escape(method.parameters[0].name) if method.parameters else "self"
            form = re.compile(_TESTED.format(me=me, name=re.escape(attribute)))
            if outside_comments(form, each.module.code, method.header.end, method.span.end) is not None:
                return True
    return False


def _setting(stores: OwnStores, default: str | None, code: WorkerCode, linker: Linker) -> Setting | None:
    """How the main process alone stores something other than what the class has."""
    asker = code.root.site.module.path
    setters: list[Setter] = []
    for owner, method, store in stores:
        is_same = default is not None and not changes_written(store.value, default, owner.module)
        if not is_same and method.name != _SENDING:
            setter = setter_at(owner.module, method, store.span, linker, asker)
            written = owner.module.code[store.value.span.start : store.value.span.end]
            is_emptied = default is not None and _NOTHING.fullmatch(written) is not None
            setters.append(replace(setter, certain=setter.certain and not is_emptied))
    outcome = f"there it is the `{default}` of the class" if default is not None else "there it has none"
    return set_by(of_the_program(setters, code, linker), Met(outcome), linker, asker)
