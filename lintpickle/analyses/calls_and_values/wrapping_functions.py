"""Functions that decorators put around others (`def wrapper(*args): …; return function(*args)`, or the `__call__` of a
class): they run whenever what is decorated is called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import DOES, callable_name, functions_of, is_given_back, outer_function
from lintpickle.analyses.at_import.naming_modules import may_mean
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Captured, Parameter
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_CALL = "__call__"
_CONTEXT = re.compile(r"\bwith\b")


class Decorated(Struct, frozen=True):
    """A function around which a decorator puts another one, and the place that stands for what that does first: the
    decorator, if more may be done afterwards (which takes it back), or else the head of the function itself."""

    module: Module
    facts: FunctionFacts
    place: Span


def is_before_call(place: Span, function: FunctionFacts, module: Module) -> bool:
    """Whether a place of a function that a decorator may put around others comes before it calls these."""
    inner = _place_of_call(function, module)
    return inner is not None and place.start < inner


def decorated_with(wrapper: FunctionFacts, home: Module, linker: Linker, asker: str) -> tuple[Decorated, ...]:
    """The functions around which decorators of the program put this one; none if it is not for that, or if the program
    calls the decorator itself (`run = timed(run)`). `asker` is as for `OwnModules.search`. For `migrate`."""
    if linker.moving_to is None or _place_of_call(wrapper, home) is None:
        return ()
    question = ("decorated with", home.path, wrapper.qualname, asker)
    return linker.remembered(question, lambda: tuple(_find(wrapper, home, linker, asker)))


def without_makers(callers: Iterable[FunctionFacts], module: Module, linker: Linker) -> list[FunctionFacts]:
    """The functions of a module that call something, without those in which only a function does so that they put
    around others. For `migrate`; without it, all."""
    found = list(callers)
    if linker.moving_to is None:
        return found
    made = [(each, outer_function(each, module)) for each in found if decorated_with(each, module, linker, module.path)]
    makers = {id(maker) for _, maker in made} | {
        id(each) for each in found for wrapper, maker in made if _is_between(each, wrapper, maker)
    }
    return [each for each in found if id(each) not in makers]


def _is_between(function: FunctionFacts, inner: FunctionFacts, outer: FunctionFacts) -> bool:
    """Whether a function stands in one and holds another."""
    spans = (outer.span, function.span, inner.span)
    return spans[0].start <= spans[1].start < spans[2].start and spans[2].end <= spans[1].end <= spans[0].end


def _place_of_call(wrapper: FunctionFacts, home: Module) -> int | None:
    """Where a local function calls what the one around it was given, if it is given back; or `__call__` what its object
    keeps."""
    is_method = wrapper.name == _CALL and not wrapper.is_local
    if not (wrapper.is_local or is_method):
        return None
    for event in wrapper.events:
        called = event.call.function if isinstance(event, Called) else None
        if is_method and isinstance(called, Attribute) and isinstance(called.base, Parameter):
            return event.span.start if called.base.name == wrapper.parameters[0].name else None
        if not is_method and isinstance(called, (Captured, Parameter)) and called.owner != wrapper.qualname:
            return event.span.start if is_given_back(wrapper, home) else None
    return None


def _find(wrapper: FunctionFacts, home: Module, linker: Linker, asker: str) -> Iterator[Decorated]:
    decorator, may_undo = outer_function(wrapper, home), _may_undo(wrapper, home)
    written = callable_name(decorator)
    name = re.escape(written)
    applied = re.compile(rf"@[ \t]*(?:\w+\.)*{name}\b")
    called = re.compile(rf"(?<![@.\w])(?:\b\w+\.)*(?<!def )(?<!class )\b{name}\s*\(")
    modules = [
        module
        for module in linker.first_party.naming_in_text(Words({written}), asker, applied)
        if module is home or may_mean(decorator, home, module, linker)
    ]
    for module in modules:
        code = applied.sub("", module.code)
        if called.search(code) is not None:
            return
    for module in modules:
        for function in functions_of(module, applied, lambda facts: facts.decorated_by(written)):
            place = next(
                each.span
                for each in function.decorators
                if applied.match(f"@{module.code[each.span.start : each.span.end]}") is not None
            )
            yield Decorated(module, function, place if may_undo else function.header)


def _may_undo(wrapper: FunctionFacts, home: Module) -> bool:
    """Whether a function does something when what it calls has returned."""
    place, end = _place_of_call(wrapper, home), wrapper.span.end
    if place is None or _CONTEXT.search(home.code, wrapper.header.end, place) is not None:
        return True
    return DOES.search(home.code, place, end) is not None
