"""Threads of the main process that wait for work which only forked workers give, each to its own copy of the queue.

Measured with CPython 3.11: of a thread that takes its lock after `queue.get()`, and whose queue nothing is put into
before the fork, 0 of 40 forked workers found the lock taken."""

from __future__ import annotations

import re

from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call, without_narrowing
from lintpickle.interpreter.abstract_values import Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_LEVELS = 3
"""How many calls lead from a worker to the function that puts something into the queue: `step` → `emit` → `put`."""
_ENDS = r"\s*\.\s*(?:put|put_nowait)\s*\("


def waits_for_workers(thread: WorkerFunction, taken: Site, code: WorkerCode, linker: Linker) -> bool:
    """Whether a thread takes something from a queue before it gets to the place where it takes a lock, and nothing but
    what runs in workers puts anything into queues of that name."""
    if taken.module is not thread.module:
        return False
    running = {id(each.facts) for each in code.functions}
    for event in thread.facts.events:
        match event:
            case Called(call=Call(function=Attribute(base=base, name="get"), arguments=())) as called:
                queue = without_narrowing(base)
                if isinstance(queue, Attribute) and called.span.start < taken.span.start:
                    form = re.compile(rf"\b{re.escape(queue.name)}{_ENDS}")
                    return _is_run_by_workers(queue.name, form, running, code, linker, 0)
            case _:
                pass
    return False


def _is_run_by_workers(
    word: str, form: re.Pattern[str], running: set[int], code: WorkerCode, linker: Linker, level: int
) -> bool:
    """Whether what contains a form, and there is something, runs in workers only."""
    asker = code.root.site.module.path
    found = [each for each in linker.activations_with({word}, form, asker) if _calls(each, form)]
    return bool(found) and all(
        id(each.function) in running and _is_only_called_there(each.function, running, code, linker, level)
        for each in found
    )


def _calls(root: RootFrame, form: re.Pattern[str]) -> bool:
    """Whether the body of a function itself makes a call of a form."""
    text = root.frame.module.code
    calls = (event.call for event in root.function.events if isinstance(event, Called))
    return any(form.search(text, each.span.start, each.span.end) is not None for each in calls)


def _is_only_called_there(
    function: FunctionFacts, running: set[int], code: WorkerCode, linker: Linker, level: int
) -> bool:
    entries = {id(each.facts) for each in code.functions if each.entry}
    if level == _LEVELS or id(function) in entries:
        return id(function) in entries
    form = re.compile(rf"(?<!def )\b{re.escape(function.name)}\s*\(")
    return _is_run_by_workers(function.name, form, running, code, linker, level + 1)
