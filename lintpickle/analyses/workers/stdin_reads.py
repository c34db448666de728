"""Where functions of worker processes read the standard input.

Measured with CPython 3.11 under every start method: the processes of `multiprocessing`, those of pools and executors
too, have `/dev/null` for a standard input. `input()` raises an EOFError, `sys.stdin.readline()` and `sys.stdin.read()`
give an empty text, and a loop over `sys.stdin` ends at once. `getpass.getpass()` asks the terminal, if there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.facts.records import Called, Event, Iterated
from lintpickle.facts.values import Attribute, Expr
from lintpickle.interpreter.abstract_values import ProductValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KINDS = frozenset({"process", "pool", "executor", "spawn"})
_INPUT = "builtins.input"
_STDIN = "sys.stdin"
_READS = {"readline": "which gives ''", "read": "which gives ''", "readlines": "which gives []"}
_NAMED = re.compile(r"\binput\s*\(|\bstdin\b")
_BOUND_ANEW = re.compile(r"\bstdin\s*=(?!=)|[\"'](?:builtins\.input|sys\.stdin)[\"']|\bdef\s+input\b|\binput\s*=(?!=)")
_NO_INPUT = "EOFError"
_ERROR = f"{_NO_INPUT}: EOF when reading a line"


class StdinRead(Struct, frozen=True):
    """Where a function of workers reads the standard input, how that is written, what comes of it, the error if it
    fails, and whether every worker gets there."""

    function: WorkerFunction
    site: Site
    written: str
    outcome: str
    error: str | None
    is_sure: bool


def stdin_reads(code: WorkerCode, linker: Linker) -> Iterator[StdinRead]:
    """The first such place of each function that workers run."""
    if code.boundary is None or code.boundary.spec.kind not in _KINDS:
        return
    for function in code.functions:
        module, span = function.module, function.facts.span
        if not module.first_party or _NAMED.search(module.code, span.start, span.end) is None:
            continue
        if not module.has(_BOUND_ANEW):
            found = (each for event in function.facts.events for each in _read(event, function, linker))
            yield from [first] if (first := next(found, None)) is not None else []


def _read(event: Event, function: WorkerFunction, linker: Linker) -> Iterator[StdinRead]:
    error: str | None = None
    match event:
        case Called(call=call) if _INPUT in external_names(call.function, function.frame, linker):
            outcome = error = _ERROR
            if is_ready_for(_NO_INPUT, *function.frame.paths.in_tree(event.span.start)):
                return
        case Called(call=call) if isinstance(call.function, Attribute) and call.function.name in _READS:
            if not _is_stdin(call.function.base, function, linker):
                return
            outcome = _READS[call.function.name]
        case Iterated(iterable=iterable) if _is_stdin(iterable, function, linker):
            outcome = "which ends at once"
        case _:
            return
    written = function.module.code[event.span.start : event.span.end]
    shown = "input()" if error is not None else " ".join(written.split())
    site = Site(function.module, event.span)
    yield StdinRead(function, site, shown, outcome, error, _is_sure(event, function, linker))


def _is_stdin(value: Expr, function: WorkerFunction, linker: Linker) -> bool:
    found = [traced.value for traced in linker.evaluate(value, function.frame)]
    return bool(found) and all(isinstance(each, ProductValue) and each.path == _STDIN for each in found)


def _is_sure(event: Event, function: WorkerFunction, linker: Linker) -> bool:
    """Whether no condition that is not decided leads to a place, from where the worker begins."""
    calls = (each.called_by for each in function.frame.way() if each.called_by is not None)
    places = [(event.span, function.frame), *((call.span, around) for around, call in calls)]
    return all(linker.evaluator.conditions.reaches(*each) is True for each in places)
