"""The ways by which programs come to places of functions, call by call, and which of two places they come to first."""

from __future__ import annotations

import re
from enum import Enum

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import callable_name, guard_of
from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.analyses.calls_and_values.entered_places import is_entered_at
from lintpickle.analyses.calls_and_values.rounds import rounds_around, runs_as_iterated, share_rounds
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_PROGRAM = "main"
_DEEPEST = 4
"""How many calls are followed back to where a program begins."""
_MOST = 24
"""How many ways to one place are told apart."""

_INIT, _ENTERING, _LEAVING = "__init__", ("__enter__", "__aenter__"), ("__exit__", "__aexit__")
_OWNER = re.compile(r"(?:\b(\w+)|[\])])(?:\s*\.\s*\w+)*\s*\.\s*\Z")
"""What stands before the name of a method, or of a function of a module."""


class Link(Struct, frozen=True):
    """A place of a function: that of a call, or that to which a way leads."""

    module: Module
    function: FunctionFacts
    span: Span


ProgramWay = tuple[Link, ...]
"""From what a program begins with, its `main()` or its main guard, to a place."""


class Order(Enum):
    """Which of two places a program comes to first, as far as the text says; in a loop, it may come to either."""

    BEFORE = "before"
    AFTER = "after"
    UNKNOWN = "unknown"


def program_ways(
    span: Span, function: FunctionFacts, module: Module, linker: Linker, depth: int = 0
) -> tuple[ProgramWay, ...] | None:
    """All ways to a place of a function, by the names of what is called; None if they are not all seen."""
    last = Link(module, function, span)
    if function.is_module_body:
        return ((last,),) if guard_of(span.start, module) is not None else None
    if function.qualname == _PROGRAM and len(re.findall(rf"(?<!def )\b{_PROGRAM}\s*\(", module.code)) <= 1:
        return ((last,),)
    key = ("ways of programs to", module.path, function.span, depth)
    leading = linker.remembered(key, lambda: _leading(function, module, linker, depth))
    return tuple((*way, last) for way in leading) if leading is not None else None


def _leading(function: FunctionFacts, module: Module, linker: Linker, depth: int) -> tuple[ProgramWay, ...] | None:
    calls = calls_by_name(function, module.path, linker) if depth < _DEEPEST else ()
    if not calls and depth < _DEEPEST and _is_unused(function, module, linker):
        return ()
    if runs_as_iterated(function) or function.name in _LEAVING:
        return None
    found: list[ProgramWay] = []
    for home, caller, at in calls:
        if not _may_mean(function, module, home, at, linker):
            continue
        if function.name in _ENTERING and not is_entered_at(Site(home, at)):
            return None
        ways = program_ways(at, caller, home, linker, depth + 1)
        if ways is None or len(found) + len(ways) > _MOST:
            return None
        found += ways
    return tuple(found) or None


def _is_unused(function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether nothing names a function but its definition: no program comes to it."""
    name = callable_name(function)
    named = re.compile(rf"(?<!def )(?<!class )\b{re.escape(name)}\b")
    return not function.decorators and not linker.first_party.is_anywhere(Words({name}), module.path, named)


def is_class_used(class_: ClassValue, linker: Linker) -> bool:
    """Whether any code of the program imports a class, calls it, derives another from it or passes it on."""
    name = class_.facts.name
    used = re.compile(rf"(?<!class )\b{re.escape(name)}\s*(?:[(),\]}}]|$)", re.MULTILINE)
    return linker.first_party.is_anywhere(Words({name}), class_.module.path, used)


def _may_mean(function: FunctionFacts, module: Module, home: Module, at: Span, linker: Linker) -> bool:
    """Whether what a module calls at a place may be the function of that name: not another method's, nor that of a
    module which the caller does not import."""
    if home is not module and module not in imported_with([home], linker):
        return False
    written = _OWNER.search(home.code, max(home.code.rfind("\n", 0, at.start), 0), at.start)
    is_method = "." in function.qualname and not function.is_local
    if function.name in (_INIT, *_ENTERING):
        return True
    if is_method or written is None:
        return is_method == (written is not None)
    return written[1] is not None and written[1] in home.outline.imports


def is_of_one_program(first: ProgramWay, second: ProgramWay) -> bool:
    """Whether two ways begin with the same function."""
    return first[0].function is second[0].function


def order(first: ProgramWay, second: ProgramWay) -> Order:
    """Whether a program comes to the end of one way before that of another one, where the two part."""
    parting = _parting(first, second)
    if parting is None or any(_is_in_loop(link) for link in first[: first.index(parting[0])]):
        return Order.UNKNOWN
    one, other = parting
    if share_rounds(Site(one.module, one.span), Site(other.module, other.span)):
        return Order.UNKNOWN
    return Order.BEFORE if one.span.start < other.span.start else Order.AFTER


def surely_comes_first(first: ProgramWay, second: ProgramWay) -> bool:
    """Whether every run that comes to the end of the second way has been at that of the first one."""
    parting = _parting(first, second)
    if parting is None:
        return False
    one, other = parting
    further = first[first.index(one) + 1 :]
    return Paths(one.module, one.function.span).precedes(one.span.start, other.span.start) and not any(
        Paths(each.module, each.function.span).steps(each.span.start) for each in further
    )


def _is_in_loop(link: Link) -> bool:
    return bool(rounds_around(Site(link.module, link.span)))


def _parting(first: ProgramWay, second: ProgramWay) -> tuple[Link, Link] | None:
    for one, other in zip(first, second, strict=False):
        if one.function is not other.function:
            return None
        if one.span.start != other.span.start:
            return one, other
    return None
