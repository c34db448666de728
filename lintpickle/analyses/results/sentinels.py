"""Objects of modules that stand for themselves (`MISSING = object()`), and workers that compare what they are shipped
with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from lintpickle.analyses.main_state.read_objects import Owner, object_of_class, owner_of
from lintpickle.analyses.results.own_identities import class_with, comes_back, enum_of, made_at, stands_for_itself
from lintpickle.analyses.results.sentinels_among_items import compared_among_items
from lintpickle.analyses.results.sentinels_by_name import compared_by_name
from lintpickle.analyses.results.sentinels_carried import compared_when_carried
from lintpickle.analyses.results.sentinels_held import crossing_by_all_names
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant, Item, Name, ending_name, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import ExternalResult, InstanceValue, Site
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*){0,2}")


class Comparison(Struct, frozen=True):
    """A place where a worker asks whether something is an object that was pickled on the way, and that is made where
    `made` stands."""

    function: WorkerFunction
    crossing: Crossing
    name: str
    made: Site
    span: Span
    is_doubted: bool = False
    """Whether that something may be another object."""
    enum: str | None = None
    """Of a member of an `Enum`, the class: the value that arrives is that of no member."""


def sentinels_compared(code: WorkerCode, linker: Linker) -> Iterator[Comparison]:
    """The objects that a boundary ships and that its workers compare by identity, each once. For `migrate`, also where
    it is not seen that what they compare is what was shipped."""
    told: set[str] = set()
    shipped = list(linker.shipped_by(code.boundary)) if code.boundary is not None else []
    for crossing in shipped:
        if not stands_for_itself(crossing.value, linker):
            continue
        found = _named(crossing, linker)
        if found is None or found[0] in told or comes_back(found[1]):
            continue
        name, owner = found
        last = name.rpartition(".")[2]
        naming = [each for each in code.functions if each.frame.paths.has(_comparing_with(last))]
        for alike in crossing_by_all_names(crossing, shipped, linker) if naming else ():
            asked = next(_asked(last, alike, naming, code, linker), None)
            if asked is not None:
                span, function, is_doubted = asked
                told.add(name)
                yield Comparison(function, alike, name, made_at(owner), span, is_doubted, enum_of(owner))
                break


@lru_cache(maxsize=64)
def _comparing_with(name: str) -> re.Pattern[str]:
    """A pattern that matches in functions that compare anything with the object of that name: the cheap question."""
    return re.compile(rf"\bis\s+(?:not\s+)?(?:\w+\.)*{re.escape(name)}\b")


def _asked(
    name: str, crossing: Crossing, functions: Sequence[WorkerFunction], code: WorkerCode, linker: Linker
) -> Iterator[tuple[Span, WorkerFunction, bool]]:
    """Where some functions of workers compare what crosses with the object of that name, and whether it may be
    something else."""
    ways: list[Callable[[WorkerFunction], Span | None]] = [
        lambda each: _compares(each, name, crossing),
        lambda each: _asks_given(each, name, crossing, code),
        lambda each: compared_among_items(each, name, crossing),
        lambda each: compared_when_carried(each, name, crossing, linker),
        lambda each: compared_by_name(each, name, crossing, linker),
    ]
    for way in ways:
        for function in functions:
            span = way(function)
            if span is not None:
                yield span, function, False
    for function in functions if linker.moving_to is not None else ():
        span = _asks_for(function, name)
        if span is not None:
            yield span, function, True


def _named(crossing: Crossing, linker: Linker) -> tuple[str, Owner] | None:
    """The object of a module that crosses, by the name with which it is written where it is kept, or else by that which
    its module gives it: `answers[question] = response.get(question)`, which gives the default."""
    module, span = crossing.site.module, crossing.site.span
    name = module.code[span.start : span.end]
    value = crossing.value
    if not _DOTTED.fullmatch(name):
        if not isinstance(value, InstanceValue | ExternalResult) or value.call is None or value.frame is None:
            return None
        module = value.frame.module
        block = module.outline.block_at(value.call.span.start)
        facts = module.facts_of(block) if block is not None and value.frame.function.is_module_body else None
        given = facts.values.items() if facts is not None else ()
        name = next((each for each, made in given if made is value.call), "") or _named_in_class(value.call, module)
    if not name or not module.first_party:
        return None
    owner = owner_of(name, module, linker) or object_of_class(name, module, linker)
    return (name, owner) if owner is not None else None


def _named_in_class(call: Call, module: Module) -> str:
    """The name under which the body of a class has what a call makes: `Channel.END`; "" if none has it."""
    class_ = class_with(call, module)
    named = class_.body.items() if class_ is not None else ()
    return next((f"{class_.name}.{each}" for each, made in named if class_ is not None and made is call), "")


def _asks_for(function: WorkerFunction, name: str) -> Span | None:
    """Where a function asks whether anything is the object of that name."""
    form = re.compile(rf"\b\w+\s+is\s+(?:not\s+)?(?:\w+\.)*{re.escape(name)}\b(?!\s*[.(\[])")
    found = form.search(function.module.code, function.facts.header.end, function.facts.span.end)
    return Span(*found.span()) if found is not None else None


def _asks_given(function: WorkerFunction, name: str, crossing: Crossing, code: WorkerCode) -> Span | None:
    """Where a function asks whether a parameter is the object of that name, for which another one gives it the
    attribute that crosses: `choose(request.timeout, 30)`."""
    if crossing.held is None:
        return None
    begin, parameters = function.facts.header.end, [each.name for each in function.facts.parameters]
    for found in re.finditer(_compared_with(name), function.text):
        held = found["held"]
        is_parameter = held in parameters and held not in function.facts.variables
        if is_parameter and any(_gives(crossing.held.attribute, held, function, each) for each in code.functions):
            return Span(begin + found.start("held"), begin + found.end())
    return None


def _gives(attribute: str, parameter: str, function: WorkerFunction, caller: WorkerFunction) -> bool:
    """Whether a function calls another one with an attribute of that name for a parameter."""
    place = [each.name for each in function.facts.parameters].index(parameter)
    is_method = "." in function.facts.qualname and not function.facts.is_local
    place -= is_method and not function.facts.decorated_by("staticmethod")
    for event in caller.facts.events:
        if isinstance(event, Called) and ending_name(event.call.function) == function.facts.name:
            given = event.call.argument(parameter, place)
            value = without_narrowing(given) if given is not None else None
            if isinstance(value, Attribute) and value.name == attribute:
                return True
    return False


def _compared_with(name: str) -> str:
    """What stands where something is compared with the object of that name."""
    return rf"(?<![\w.])(?P<held>[\w.]+\[[^\[\]]+\]|\w+)\s+is\s+(?:not\s+)?(?:\w+\.)*{re.escape(name)}\b(?!\s*[.(\[])"


def _holds(variable: str, function: WorkerFunction, crossing: Crossing) -> bool:
    """Whether a variable gets the attribute that crosses, perhaps by a name that is not written out, or an item of
    something."""
    for value in options_of(without_narrowing(function.facts.variables[variable])):
        match without_narrowing(value):
            case Attribute(name=name):
                if crossing.held is not None and name == crossing.held.attribute:
                    return True
            case Item() | Call(function=Attribute(name="get" | "pop"), arguments=(_,)):
                return True
            case Call(function=Name(name="getattr"), arguments=(_, key, *_)) if crossing.held is not None:
                if not isinstance(key.value, Constant) or key.value.value == crossing.held.attribute:
                    return True
            case _:
                pass
    return False


def _compares(function: WorkerFunction, name: str, crossing: Crossing) -> Span | None:
    """Where a function compares what crosses with the object of that name: an attribute by its own name, an argument as
    a parameter of what the worker calls, or what a variable got from there or from a container."""
    begin = function.facts.header.end
    for compared in re.finditer(_compared_with(name), function.text):
        held = compared["held"]
        if held.endswith("]") or (held in function.facts.variables and _holds(held, function, crossing)):
            return Span(begin + compared.start("held"), begin + compared.end())
    if crossing.held is not None:
        left = rf"\.\s*{re.escape(crossing.held.attribute)}"
    elif function.entry and function.facts.parameters:
        left = rf"\b(?:{'|'.join(re.escape(each.name) for each in function.facts.parameters)})"
    else:
        return None
    form = re.compile(rf"{left}\s+is\s+(?:not\s+)?(?:\w+\.)*{re.escape(name)}\b(?!\s*[.(\[])")
    found = form.search(function.module.code, function.facts.header.end, function.facts.span.end)
    return Span(found.start() + (found.group()[0] == "."), found.end()) if found is not None else None
