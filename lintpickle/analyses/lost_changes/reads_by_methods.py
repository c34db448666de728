"""Methods that read an attribute of their object, where they are called, and the methods beside the one that starts
workers, which go on with the objects that theirs keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.lost_changes.attribute_changes import changes_by_calls, changes_of
from lintpickle.analyses.workers.task_workers import functions_started_in
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Expr
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue
from lintpickle.parsing.syntax import is_special_name
from lintpickle.payload.linker import Linker

_KINDS_OF_TASKS = frozenset({"executor", "joblib", "pool"})


def methods_reading(owner: InstanceValue, attribute: str, linker: Linker) -> tuple[str, ...]:
    """The methods of an object that read an attribute of it, and do not change it."""
    found: list[str] = []
    for class_ in _classes_of(owner, linker):
        for method in class_.facts.methods.values():
            if method.parameters and not is_special_name(method.name) and class_.module.first_party:
                read = re.compile(rf"(?<![\w.]){method.parameters[0].name}\.{re.escape(attribute)}\b(?!\s*=[^=])")
                is_read = read.search(class_.module.code, method.header.end, method.span.end)
                if is_read is not None and not _changes(method, attribute):
                    found.append(method.name)
    return tuple(found)


def _classes_of(owner: InstanceValue, linker: Linker) -> Iterator[ClassValue]:
    return (each for each in linker.classes.mro(owner) if isinstance(each, ClassValue))


def _changes(method: FunctionFacts, attribute: str) -> bool:
    return any(each.attribute == attribute for each in (*changes_of(method), *changes_by_calls(method)))


def methods_named(names: tuple[str, ...]) -> re.Pattern[str]:
    """Finds where a method of one of these names is called."""
    return re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, names))})\s*\(")


def calls_of_methods(names: tuple[str, ...], frame: Frame, start: int, end: int) -> Iterator[tuple[Expr, Span]]:
    """Where a function calls a method of one of these names between two places, and of what."""
    for event in frame.function.events:
        called = event.call.function if isinstance(event, Called) else None
        if isinstance(called, Attribute) and called.name in names and start <= event.span.start < end:
            yield called.base, called.span


def methods_beside(boundary: BoundaryCall, form: re.Pattern[str], linker: Linker) -> Iterator[Frame]:
    """The other public methods of the object whose method starts tasks that name something, but for those that workers
    run, or that it calls itself: whoever uses the object calls them later."""
    facts, home = boundary.frame.function, boundary.frame.module
    me = object_of_method(boundary.frame)
    if boundary.spec.kind not in _KINDS_OF_TASKS or me is None:
        return
    running = {id(each.facts) for each in functions_started_in(home, linker)}
    for class_ in _classes_of(me, linker):
        for method in class_.facts.methods.values():
            if method.name.startswith("_") or id(method) in running or method.name == facts.name:
                continue
            if not form.search(class_.module.code, method.header.end, method.span.end):
                continue
            called = re.compile(rf"\.\s*{re.escape(method.name)}\b")
            if called.search(home.code, facts.header.end, facts.span.end) is None:
                yield linker.activations.of_method(class_, method).frame


def object_of_method(frame: Frame) -> InstanceValue | None:
    """The object of which a function is a method."""
    parameters = frame.function.parameters
    bound = frame.bindings.get(parameters[0].name) if parameters else None
    is_method = "." in frame.function.qualname and not frame.function.is_local
    return bound.value if is_method and bound is not None and isinstance(bound.value, InstanceValue) else None
