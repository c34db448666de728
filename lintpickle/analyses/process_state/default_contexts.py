"""Calls that give the process its start method for good: those that set it, and those that use it while none is set.

Measured with CPython 3.11 and 3.13: queues, locks, values, pools and managers of `multiprocessing` ask for the default
context as they are made, executors also, a process as it starts; `Process(…)`, `Pipe()`, `RawValue(…)`,
`cpu_count()`, `get_context("spawn")` and `get_start_method(allow_none=True)` do not. Spawned processes of any context
do, and so does `torch.multiprocessing.spawn`.
"""

from __future__ import annotations

import re

from lintpickle.analyses.calls_and_values.values import external_names, resolves_to
from lintpickle.control_flow.attempts import TRIES, blocks_around, is_ready_for, is_row_in
from lintpickle.facts.values import Attribute, Call, ending_name
from lintpickle.interpreter.abstract_values import ExternalResult, Frame, InstanceValue, ProductValue
from lintpickle.payload.linker import Linker

SET_ALREADY = "RuntimeError: context has already been set"
"""The error of setting the start method again."""
_SETTER = "set_start_method"
_SETTERS = frozenset({f"multiprocessing.{_SETTER}", f"torch.multiprocessing.{_SETTER}"})
_ASKS = re.compile(rf"\bget_start_method\b|\bcurrent_process\b|\bparent_process\b|\b{_SETTER}\s*=(?!=)")
"""What stands in code that may ask before it sets the start method."""
_MADE = (
    "Array|BoundedSemaphore|Barrier|Condition|Event|JoinableQueue|Lock|Manager|Pool|Queue|RLock|Semaphore|SimpleQueue|"
    "Value"
)
MAKING = re.compile(rf"\b(?:{_MADE}|ProcessPoolExecutor)\s*\(")
"""What stands in statements that make something of the default context, if they make it themselves."""
_USES = re.compile(
    rf"(?:torch\.)?multiprocessing\.(?:{_MADE}|get_context|get_start_method|{_SETTER})|"
    r"(?:torch\.)?multiprocessing\.pool\.(?:Thread)?Pool|torch\.multiprocessing\.(?:spawn|start_processes)|"
    r"concurrent\.futures\.(?:process\.)?ProcessPoolExecutor"
)
_ASKED_FOR = {
    "get_context": ("method", 0),
    "get_start_method": ("allow_none", 0),
    "ProcessPoolExecutor": ("mp_context", 1),
}
"""The arguments with which these do not ask for the default."""
_NAMES = frozenset({*_MADE.split("|"), *_ASKED_FOR, "ThreadPool", "spawn", "start_processes", "start", _SETTER})
_PROCESS = re.compile(r"(?:torch\.)?multiprocessing\.(?:process\.)?Process")


def sets_start_method(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call sets the start method of the process, and fails if it has one: without `force`."""
    if isinstance(call.function, Attribute) and call.function.name != _SETTER:
        return False
    return not _is_forced(call) and resolves_to(call.function, frame, linker, _SETTERS)


def names_setter(call: Call) -> bool:
    """Whether a call is written as one of `set_start_method`."""
    return ending_name(call.function) == _SETTER


def _is_forced(call: Call) -> bool:
    """Whether `force` may be passed."""
    if call.keyword("force") is not None or call.has_unknown_arguments():
        return True
    return len(call.positional() or ()) > 1


def is_prepared(call: Call, frame: Frame) -> bool:
    """Whether a function looks ready for a start method that is already set where it sets one: it may ask first, or
    handles errors there."""
    if frame.paths.has(_ASKS):
        return True
    place = call.span.start
    return is_tried(place, frame) or is_ready_for(SET_ALREADY.partition(":")[0], *frame.paths.in_tree(place))


def is_tried(place: int, frame: Frame) -> bool:
    """Whether a function handles errors of whatever kind at one of its places."""
    tree, row = frame.paths.in_tree(place)
    around = blocks_around(tree, row)
    return any(isinstance(each, TRIES) and each.handlers and is_row_in(each.body, row) for each in around)


def fixes_start_method(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether the process has a start method once a call has been made."""
    if isinstance(call.function, Attribute) and call.function.name == "start":
        return _is_process_of_default(call.function, frame, linker)
    if isinstance(call.function, Attribute) and call.function.name not in _NAMES:
        return False
    names = [*external_names(call.function, frame, linker)]
    return bool(names) and all(_USES.fullmatch(each) and not _is_of_another(each, call) for each in names)


def _is_of_another(name: str, call: Call) -> bool:
    """Whether a call names another context than the default one, or may, or asks without choosing."""
    own = _ASKED_FOR.get(name.rpartition(".")[2])
    return own is not None and (call.has_unknown_arguments() or call.argument(*own) is not None)


def _is_process_of_default(start: Attribute, frame: Frame, linker: Linker) -> bool:
    """Whether `start()` is that of a `multiprocessing.Process`."""
    values = [traced.value for traced in linker.evaluate(start.base, frame)]
    return bool(values) and all(
        (isinstance(each, ExternalResult | ProductValue) and _PROCESS.fullmatch(each.path) is not None)
        or (isinstance(each, InstanceValue) and linker.classes.kind(each) == "process")
        for each in values
    )
