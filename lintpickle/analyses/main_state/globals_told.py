"""Globals that a function of their module sets by names which its callers write out: `override({"rate": 0.5})`, where
`override` does `globals()[key.upper()] = value`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.analyses.main_state.any_attributes import GLOBALS_OF_ANY_NAME
from lintpickle.analyses.main_state.main_setters import Setter
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, Constant, Mapping
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_FORM = re.compile(GLOBALS_OF_ANY_NAME)
_UPPER = ".upper()"

_SPLIT = re.compile(r"""\.r?(?:partition|split)\(\s*["']=["']""")


def globals_told(owner: Owner, linker: Linker, asker: str) -> Iterator[Setter]:
    """Where the module of a thing gives its globals values by keys, one of which is the name of the thing in a call
    somewhere, or what stands before a `=` in a text of the program that such a function takes apart there
    (`"rate=0.5".partition("=")`)."""
    module = owner.module
    if not module.has(_FORM):
        return
    for facts in functions_of(module, _FORM, lambda facts: not facts.is_module_body):
        found = _FORM.search(module.code, facts.span.start, facts.span.end)
        if found is None or not owns(facts, found.start()):
            continue
        is_raised = _UPPER in module.code[facts.span.start : facts.span.end]
        keys = {key.upper() if is_raised else key for key in _keys_given(facts, owner, linker)}
        is_in_text = _SPLIT.search(module.code, facts.span.start, facts.span.end) is not None
        if owner.name in keys or (is_in_text and _stands_before_value(owner.name, linker, asker)):
            yield Setter(module, facts, Span(*found.span()), True)


def _stands_before_value(name: str, linker: Linker, asker: str) -> bool:
    """Whether a text of the program gives a name a value: `"batch=8"`."""
    form = re.compile(rf"""["']{re.escape(name)}=[^=]""")
    return linker.first_party.is_anywhere(Words({name}), asker, form)


def _keys_given(facts: FunctionFacts, owner: Owner, linker: Linker) -> Iterator[str]:
    """The keys that calls of a function write out: of a dict, as keywords, or as a text before a value."""
    for _, caller, place in calls_by_name(facts, owner.module.path, linker):
        for event in caller.events:
            if isinstance(event, Called) and event.span.start <= place.start < event.span.end:
                yield from _keys_in(event.call)


def _keys_in(call: Call) -> Iterator[str]:
    for argument in call.arguments:
        if argument.keyword:
            yield argument.keyword
        match argument.value:
            case Mapping(items=items):
                yield from (key.value for key, _ in items if isinstance(key, Constant) and isinstance(key.value, str))
            case Constant(value=str(key)) if not argument.keyword:
                yield key
            case _:
                pass
