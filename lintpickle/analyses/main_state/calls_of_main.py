"""The calls of a function by code that no worker runs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lintpickle.analyses.at_import.import_time import callable_name
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, FunctionValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode


def calls_by_main(
    function: FunctionFacts, code: WorkerCode, linker: Linker, asker: str
) -> Iterator[tuple[RootFrame, Span]]:
    """The calls of a function by code that no worker of a boundary runs, each with the function around it; also by way
    of functions that workers run, too."""
    running = frozenset(id(each.facts) for each in (*code.functions, *code.by_value))
    return calls_by_others(function, running, linker, asker)


def calls_by_others(
    function: FunctionFacts, running: Collection[int], linker: Linker, asker: str
) -> Iterator[tuple[RootFrame, Span]]:
    """The same for any functions that workers run, by their ids."""
    waiting, seen = [function], {id(function)}
    while waiting:
        for root, span, is_of_main in _calls(waiting.pop(), running, linker, asker):
            if is_of_main:
                yield root, span
            elif id(root.function) not in seen and not root.function.is_module_body:
                seen.add(id(root.function))
                waiting.append(root.function)


def _calls(
    function: FunctionFacts, running: Collection[int], linker: Linker, asker: str
) -> Iterator[tuple[RootFrame, Span, bool]]:
    """The calls of a function, each with the function around it, and whether that is one that no worker runs."""
    name = callable_name(function)
    form = re.compile(rf"(?<!def )(?<!class )\b{re.escape(name)}\s*\(")
    for root in linker.activations_with({name}, form, asker):
        for event in root.function.events:
            if isinstance(event, Called) and form.search(root.frame.module.code, event.span.start, event.span.end):
                called = (traced.value for traced in linker.evaluate(event.call.function, root.frame))
                if any(_runs(function, each, linker) for each in called):
                    yield root, event.span, id(root.function) not in running


def _runs(function: FunctionFacts, called: AbstractValue, linker: Linker) -> bool:
    """Whether to call something runs the function: it is that function, or a class whose `__init__` it is."""
    if isinstance(called, ClassValue) and function.name == "__init__":
        found = linker.classes.find_method(called, function.name)
        return found is not None and found[1] is function
    return isinstance(called, FunctionValue) and called.facts is function
