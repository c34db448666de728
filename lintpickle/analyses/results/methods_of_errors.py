"""The properties and methods of its own class for which code asks an error (`error.is_lost`, `error.can_retry()`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.facts.records import FunctionFacts, Raised
from lintpickle.interpreter.abstract_values import ClassValue, Frame, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction


def errors_raised_at(site: Site, function: WorkerFunction, linker: Linker) -> Iterator[InstanceValue]:
    """The errors of the program's own classes that a statement of a function raises."""
    for event in function.facts.events:
        if not isinstance(event, Raised) or not site.contains(Site(function.module, event.span)):
            continue
        for traced in linker.evaluate(event.value, function.frame):
            match traced.value:
                case InstanceValue() as error:
                    yield error
                case ClassValue() as class_:
                    yield InstanceValue(class_)
                case _:
                    pass


def methods_asked(name: str, nodes: Sequence[ast.AST], error: InstanceValue, linker: Linker) -> Iterator[Frame]:
    """The frames of what code runs that reads a property of an error, which it has under a name, or calls a method."""
    called = {id(each.func) for each in nodes if isinstance(each, ast.Call)}
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=held), attr=attribute, ctx=ast.Load()) if held == name:
                found = _method(error, attribute, linker)
                if found is not None and found[0].module.first_party and _is_run(found[1], id(node) in called):
                    frame = frame_of_method(found, error, linker)
                    if frame is not None:
                        yield frame
            case _:
                pass


def _method(error: InstanceValue, name: str, linker: Linker) -> tuple[ClassValue, FunctionFacts] | None:
    """The method of that name, unless a class that comes before has a value there."""
    found = linker.classes.find_method(error, name)
    for each in linker.classes.mro(error) if found is not None else ():
        if not isinstance(each, ClassValue) or name in each.facts.body:
            return None
        if found is not None and each.facts is found[0].facts:
            return found
    return None


def _is_run(method: FunctionFacts, is_called: bool) -> bool:
    """Whether to read a method runs it, with the object as its first parameter, or to call it."""
    is_property = method.decorated_by("property") and len(method.decorators) == 1
    return bool(method.parameters) and (is_property or (is_called and not method.decorators))
