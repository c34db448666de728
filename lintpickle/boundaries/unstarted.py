"""Processes that are made but never started, as in tests that call their methods directly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.boundaries.holders import Holders
from lintpickle.boundaries.kept_to_itself import Scrutiny, is_left_alone_where_made
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Call, Parameter, may_be
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Frame, InstanceValue, Site
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.evaluator import Evaluator

_START = "start"
_STARTING = re.compile(r"\b(?:self|super\(\))\s*\.\s*start\b")
_NONLOCAL = re.compile(r"^[ \t]*nonlocal[ \t]", re.MULTILINE)
_TEST_CASE = "TestCase"
_ASSIGNED = re.compile(r"[ \t]*(\w+)[ \t]*=[ \t]*")
_STARTS = re.compile(r"\.\s*start\b")
_MAY_START = re.compile(
    r"start|run|launch|serve|spawn|open|enter|begin|exec|init|setup|reset|submit|map", re.IGNORECASE
)
"""What stands in the names of methods that may start a process which the object has."""
_ASKS = re.compile(r"\b(?:isinstance|id|repr|str|len)\(\s*$|\bassert\s+$")
_INDENTED = re.compile(r"^([ \t]*)(?=\S)", re.MULTILINE)
_NEAR = 40
"""How far in front of a name is looked for what is asked of it."""
_DEFINES = re.compile(r"[ \t]*(?:async[ \t]+)?def\b")


def is_never_started(process: Call, class_: ClassValue | None, frame: Frame, evaluator: Evaluator) -> bool:
    """Whether a process that a function makes, of a class of the program if that is given, is started neither there nor
    by one of its own methods, and is not passed on to anybody who may start it. An attribute of a test case counts as
    not passed on, if its module starts nothing of that name; so does any other whose `run()` the module calls itself. A
    plain process that has not even a name shows nothing yet of what is meant."""
    function, classes = frame.function, evaluator.classes
    if function.is_module_body or any(_STARTING.search(text) for text in _texts(class_, classes)):
        return False
    names = {name for name, value in function.variables.items() if may_be(value, process)}
    if class_ is None and not names:
        return False
    if not names.isdisjoint(function.globals_declared) or _NONLOCAL.search(_text(function, frame)):
        return False
    if class_ is not None and _is_run_in_its_place(process, frame):
        return True
    held = Holders(process, frame, evaluator)
    watched = Scrutiny(held.is_it, _START.__eq__, held.ignores, lambda event: _is_own(event, frame, classes))
    return is_left_alone_where_made(function, watched, frame.module)


def _is_run_in_its_place(process: Call, frame: Frame) -> bool:
    """Whether attributes keep a process whose module calls `run()` of what is kept there, and never names `start`."""
    stores = (each for each in frame.function.events if isinstance(each, Store) and may_be(each.value, process))
    kept, code = {store.attribute for store in stores}, frame.module.code
    return bool(kept) and all(
        re.search(rf"\.\s*{name}\s*\.\s*run\s*\(\s*\)", code) and not re.search(rf"\b{name}\s*\.\s*start\b", code)
        for name in kept
    )


def _text(function: FunctionFacts, frame: Frame) -> str:
    return frame.module.code[function.span.start : function.span.end]


def _texts(class_: ClassValue | None, classes: Classes) -> Iterator[str]:
    """The sources of a class and of those of the program that it derives from."""
    for base in classes.mro(class_) if class_ is not None else ():
        if isinstance(base, ClassValue):
            yield base.module.code[base.facts.span.start : base.facts.span.end]


def _is_own(event: Store, frame: Frame, classes: Classes) -> bool:
    bound = frame.bindings.get(event.target.name) if isinstance(event.target, Parameter) else None
    if bound is None or not isinstance(bound.value, InstanceValue):
        return False
    bases = (base.path for base in classes.mro(bound.value.class_) if isinstance(base, ExternalValue))
    starting = rf"\.\s*{re.escape(event.attribute)}\s*\.\s*{_START}\b"
    return any(path.endswith(_TEST_CASE) for path in bases) and not re.search(starting, frame.module.code)


def is_left_alone(made: Site, ways: Iterable[Site]) -> bool:
    """Whether a function, as tests do, keeps what a call makes in a variable, starts nothing of it and does not pass it
    on; and the functions around the other places start nothing either, by way of which that call makes a process."""
    code, place = made.module.code, made.span
    assigned = _ASSIGNED.fullmatch(code, code.rfind("\n", 0, place.start) + 1, place.start)
    function = _function_around(made)
    if assigned is None or function is None or any(_starts(_function_around(way), way) for way in ways):
        return False
    uses = re.compile(rf"(?<![\w.]){assigned[1]}\b(?:\s*\.\s*(\w+))?").finditer(code, place.end, function.end)
    return all(_is_harmless(use, code) for use in uses)


def _is_harmless(use: re.Match[str], code: str) -> bool:
    if use[1] is not None:
        return _MAY_START.search(use[1]) is None
    return _ASKS.search(code, max(0, use.start() - _NEAR), use.start()) is not None


def _starts(function: Span | None, place: Site) -> bool:
    """Whether a function, which is that of a place, starts anything, or may do so."""
    return function is None or _STARTS.search(place.module.code, function.start, function.end) is not None


def _function_around(place: Site) -> Span | None:
    """The text of the innermost function around a place, by its indentation; None if there is none."""
    code = place.module.code
    row = code.rfind("\n", 0, place.span.start) + 1
    around = _indentation(code, row) or 0
    while around and row:
        row = code.rfind("\n", 0, row - 1) + 1
        indentation = _indentation(code, row)
        if indentation is None or indentation >= around or code[row + indentation] in ")]}":
            continue
        around = indentation
        if _DEFINES.match(code, row):
            ends = (found.start() for found in _INDENTED.finditer(code, place.span.end) if len(found[1]) <= around)
            return Span(row, next(ends, len(code)))
    return None


def _indentation(code: str, row: int) -> int | None:
    """How far a line is indented; None if nothing stands in it."""
    found = _INDENTED.match(code, row)
    return len(found[1]) if found is not None else None
