"""Classes that calls make and that functions put into their module under names which are computed:
`globals()[name] = row_type`, `setattr(sys.modules[__name__], name, row_type)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.at_import.import_time import functions_of, outside_comments
from lintpickle.analyses.calls_and_values.functions import MAIN, name_at_run
from lintpickle.analyses.main_state.global_definitions import is_given_at_import
from lintpickle.analyses.main_state.global_setters import setters_of
from lintpickle.analyses.main_state.globals_stored import stored_by_computed_name
from lintpickle.analyses.pickle_hooks.made_classes import SOME_NAME, named_by_call
from lintpickle.analyses.workers.runs_elsewhere import runs_elsewhere
from lintpickle.facts.methods import owns
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ContainerValue, Site
from lintpickle.interpreter.made_classes import name_of
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_OTHERWISE = re.compile(r"\b__reduce|\bcopyreg\b|[\"']__module__[\"']\s*(?::(?!\s*__name__\b)|\]\s*=(?!\s*__name__\b))")
"""What may say otherwise how a class of the module is pickled, or of which module it is."""


def published_by_main_alone(
    value: ContainerValue, linker: Linker, asker: str
) -> tuple[Site, str, FunctionFacts] | None:
    """Where a class is made that only functions which no worker runs put into the module, its name as far as that is
    known, and the function that puts it there; None of all other classes."""
    first = name_of(value)
    if first is None or value.call is None:
        return None
    function, module = first.frame.function, first.frame.module
    if function.is_module_body or module.has(_OTHERWISE) or runs_on_import(function, module, linker):
        return None
    named = named_by_call(value, linker)
    if named is not None and is_given_at_import(named[1], module):
        return None
    setters = [*(setters_of(named[1], module) if named is not None else ()), *_publishing(module)]
    if not setters or any(runs_on_import(each, module, linker) for each in setters):
        return None
    is_script = module.path == asker and name_at_run(module) == MAIN
    if not is_script and any(runs_elsewhere(each, module, linker, asker) for each in setters):
        return None
    return Site(module, value.call.span), named[1] if named is not None else SOME_NAME, setters[0]


def _publishing(module: Module) -> Iterator[FunctionFacts]:
    form = stored_by_computed_name(module)
    for facts in functions_of(module, form, lambda facts: not facts.is_module_body) if form is not None else ():
        place = outside_comments(form, module.code, facts.span.start, facts.span.end) if form is not None else None
        if place is not None and owns(facts, place.start):
            yield facts
