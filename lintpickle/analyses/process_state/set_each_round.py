"""Settings that a loop makes anew in each round, to what that round is about, before it starts workers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.workers.at_once import innermost_loop
from lintpickle.analyses.workers.workers_started import shares_a_loop_with_workers
from lintpickle.facts.methods import owns
from lintpickle.facts.records import Called, Event, FunctionFacts, ItemStore
from lintpickle.facts.values import Expr, Item, Parameter, mentions_parameter, parts_of
from lintpickle.payload.linker import Linker

_DEEPEST = 8
_CALLERS = 4
"""How many calls are followed back that hand on what they are given."""


def is_set_each_round(setting: Setting, asker: str, linker: Linker) -> bool:
    """Whether a loop is around what makes a setting and around starts of workers, and what is set depends on what the
    loop goes through: workers of the second round need another value than those of the first."""
    setter, site = setting.setter, setting.site
    if setter is None or not shares_a_loop_with_workers(site.span, setter, site.module, asker, linker):
        return False
    given = [each for event in setter.events if event.span == site.span for each in _given(event)]
    if any(map(_is_of_loop, given)):
        return True
    me = setter.parameters[0].name if setter.parameters and "." in setter.qualname else None
    if not any(mentions_parameter(part, me, linker.evaluator.cuts.note) for each in given for part in _all_parts(each)):
        return False
    return _is_passed_of_loop(setter, site.module.path, linker)


def is_entered_each_round(setting: Setting, asker: str, linker: Linker) -> bool:
    """Whether a loop comes to the context in which something is set and workers start (`with tenant(name):`), and what
    the context is given depends on what the loop goes through."""
    entered = setting.entered
    written = entered.module.code[entered.span.start : entered.span.end] if entered is not None else ""
    if entered is None or entered.module.path != asker:
        return False
    for entering in functions_of(entered.module, re.compile(re.escape(written)), lambda facts: True):
        here = [event for event in entering.events if event.span == entered.span]
        if not here or not owns(entering, entered.span.start):
            continue
        given = [each for event in here for each in _given(event)]
        if any(map(_is_of_loop, given)):
            return innermost_loop(entered) is not None
        is_handed_on = any(isinstance(part, Parameter) for each in given for part in _all_parts(each))
        return is_handed_on and _is_passed_of_loop(entering, asker, linker)
    return False


def _is_passed_of_loop(function: FunctionFacts, path: str, linker: Linker, level: int = 0) -> bool:
    """Whether a call gives a function what depends on an element, or hands on what its own caller gives it so."""
    for module, caller, place in calls_by_name(function, path, linker):
        given = list(_passed(caller, place.start))
        if any(map(_is_of_loop, given)):
            return True
        is_handed_on = any(isinstance(part, Parameter) for each in given for part in _all_parts(each))
        if is_handed_on and level < _CALLERS and _is_passed_of_loop(caller, module.path, linker, level + 1):
            return True
    return False


def _given(event: Event) -> Iterator[Expr]:
    match event:
        case ItemStore(value=value):
            yield value
        case Called(call=call):
            yield from (each.value for each in call.arguments)
        case _:
            pass


def _passed(caller: FunctionFacts, place: int) -> Iterator[Expr]:
    """What the call at a place is given."""
    for event in caller.events:
        if isinstance(event, Called) and event.span.start <= place < event.span.end:
            yield from (each.value for each in event.call.arguments)


def _is_of_loop(value: Expr) -> bool:
    """Whether an expression depends on an element of something that is iterated."""
    return any(isinstance(part, Item) and part.key is None for part in _all_parts(value))


def _all_parts(value: Expr, depth: int = 0) -> Iterator[Expr]:
    """An expression and what it is made of, also the keys by which it looks something up."""
    yield value
    keys = (value.key,) if isinstance(value, Item) and value.key is not None else ()
    for part in (*parts_of(value), *keys) if depth < _DEEPEST else ():
        yield from _all_parts(part, depth + 1)
