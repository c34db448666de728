"""Objects of modules of which an attribute is None at import, and that workers use as something else in a method of the
object, by a function that hands the object out, or by a variable. For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.handed_out import handing_out
from lintpickle.analyses.main_state.held_by_read_objects import is_same_object
from lintpickle.analyses.main_state.main_setters import Met
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.main_state.sure_failures import failing
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.facts.values import says_none
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction


def failing_by_attribute(met: Met, owner: Owner, written: str, code: WorkerCode, linker: Linker) -> Met:
    """What a worker meets of an object, with the error of the first such use. Where code of the workers asks for the
    attribute anywhere, it may go on without it."""
    if linker.moving_to is None or met.error is not None or not isinstance(owner.value, InstanceValue):
        return met
    held = linker.classes.states.state(owner.value)
    functions = [each for each in code.functions if each.module.first_party]
    for attribute in dict.fromkeys(each.attribute for each in held if each.direct and says_none(each.value)):
        is_none = all(says_none(each.value) for each in held if each.attribute == attribute and each.direct)
        if not is_none or any(_asks_for(attribute, each) for each in functions):
            continue
        for function in functions:
            for name in dict.fromkeys(_names(attribute, owner, written, function, linker)):
                found = failing(met, name, function, linker)
                if found.error is not None:
                    return found
    return met


def _asks_for(attribute: str, function: WorkerFunction) -> bool:
    name = re.escape(attribute)
    asking = rf"\.{name}\s*(?:is\b|==|!=)|\b(?:not|if|and|or|while)\s+[\w.()]*\.{name}\b(?!\s*[\[(.])|[\"']{name}[\"']"
    return re.search(asking, function.text) is not None


def _names(attribute: str, owner: Owner, written: str, function: WorkerFunction, linker: Linker) -> Iterator[str]:
    """How a function writes an attribute of the object."""
    text, own = function.text, list(_objects(owner, written, function, linker))
    for name in own:
        yield f"{name}.{attribute}"
        given = re.findall(rf"^[ \t]*(\w+)[ \t]*=[ \t]*{re.escape(name)}\.{re.escape(attribute)}[ \t]*$", text, re.M)
        yield from (each for each in given if _is_given_once(each, text))


def _objects(owner: Owner, written: str, function: WorkerFunction, linker: Linker) -> Iterator[str]:
    """How a function writes the object: as a method of it, by a function that hands it out, or by a variable."""
    text, facts = function.text, function.facts
    if facts.parameters and facts.name not in CONSTRUCTION:
        me = facts.parameters[0].name
        bound = function.frame.bindings.get(me)
        if bound is not None and is_same_object(bound.value, owner.value):
            yield me
    calls = {written} if written.partition(".")[0] in facts.reads else set[str]()
    for name in handing_out(owner, linker):
        calls.update(re.findall(rf"(?<![\w.])(?:\w+\.)*{re.escape(name)}\(\)", text))
    for call in sorted(calls):
        yield call
        given = re.findall(rf"^[ \t]*(\w+)[ \t]*=[ \t]*{re.escape(call)}[ \t]*$", text, re.M)
        yield from (each for each in given if _is_given_once(each, text))


def _is_given_once(name: str, text: str) -> bool:
    return len(re.findall(rf"(?<![\w.]){re.escape(name)}[ \t]*(?::[^=\n]+)?[-+*/|&%]?=(?!=)", text)) == 1
