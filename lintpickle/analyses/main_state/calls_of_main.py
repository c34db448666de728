"""The calls of a function by code that no worker runs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.analyses.calls_and_values.field_factories import classes_made_with
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, Frame, FunctionValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.interpreter.run_by_constructors import run_by_constructor
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module


def calls_by_main(
    function: FunctionFacts, code: WorkerCode, linker: Linker, asker: str
) -> Iterator[tuple[RootFrame, Span]]:
    """The calls of a function by code that no worker of a boundary runs, each with the function around it; also by way
    of functions that workers run, too."""
    running = frozenset(id(each.facts) for each in (*code.functions, *code.by_value))
    home = next((each.module for each in code.functions if each.facts is function), None)
    return calls_by_others(function, home, running, linker, asker)


def calls_by_others(
    function: FunctionFacts, home: Module | None, running: Collection[int], linker: Linker, asker: str
) -> Iterator[tuple[RootFrame, Span]]:
    """The same for any functions that workers run, by their ids. `home` is the module of the function, if it may be one
    that makes the objects of a class."""
    waiting, seen = [function], {id(function)}
    while waiting:
        asked = waiting.pop()
        names: Collection[str] = ()
        if home is not None and asked is function and linker.moving_to is not None:
            names = classes_made_with(asked, home, linker, asker)
        for root, span, is_of_main in _calls(asked, names, running, linker, asker):
            if is_of_main:
                yield root, span
            elif id(root.function) not in seen and not root.function.is_module_body:
                seen.add(id(root.function))
                waiting.append(root.function)


def _calls(
    function: FunctionFacts, classes: Collection[str], running: Collection[int], linker: Linker, asker: str
) -> Iterator[tuple[RootFrame, Span, bool]]:
    """The calls of a function, or of classes of these names that make their objects with it, each with the function
    around it, and whether that is one that no worker runs."""
    names = {callable_name(function), *classes}
    form = re.compile(rf"(?<!def )(?<!class )\b(?:{'|'.join(map(re.escape, sorted(names)))})\s*\(")
    for root in linker.activations_with(names, form, asker):
        for event in root.function.events:
            if isinstance(event, Called) and form.search(root.frame.module.code, event.span.start, event.span.end):
                called = (traced.value for traced in linker.evaluate(event.call.function, root.frame))
                if any(_runs(function, each, event.call, root.frame, linker) for each in called):
                    yield root, event.span, id(root.function) not in running


def _runs(function: FunctionFacts, called: AbstractValue, call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether to call something runs the function: it is that function, or a class whose `__init__` it is, or that
    makes its objects by it."""
    if isinstance(called, ClassValue):
        found = linker.classes.find_method(called, "__init__")
        if found is not None and found[1] is function:
            return True
        return any(each.facts is function for each, _ in run_by_constructor(called, call, frame, linker.evaluator))
    return isinstance(called, FunctionValue) and called.facts is function
