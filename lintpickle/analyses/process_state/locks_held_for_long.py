"""Locks that a thread takes once, and holds for as long as something slow takes: writing a file, a request, a sleep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.waiting.locks_entered import entered_locks
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute
from lintpickle.interpreter.abstract_values import AbstractValue, ExternalValue, Frame, FunctionValue, ProductValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_SLOW = frozenset(
    {"time.sleep", "torch.save", "torch.load", "numpy.save", "numpy.savez", "numpy.savez_compressed", "joblib.dump"}
    | {
        "pickle.dump",
        "json.dump",
        "shutil.copy",
        "shutil.copyfile",
        "shutil.copytree",
        "shutil.make_archive",
        "os.fsync",
    }
    | {"urllib.request.urlopen", "urllib.request.urlretrieve", "requests.get", "requests.post", "requests.put"}
    | {"subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output"}
)
"""Functions that wait for a disk, a network, another process or the clock."""
_TELLS = frozenset({"set", "release", "put"})
"""Methods by which a thread may tell the main process that it is done."""
_DEEP = 2
"""Through how many calls of the program something slow is looked for."""


def is_held_for_long(lock: AbstractValue, functions: Iterable[WorkerFunction], linker: Linker) -> bool:
    """Whether one of the functions that a thread runs holds a lock while it does something slow, and does not tell
    anybody afterwards that it has let go of it."""
    if not isinstance(lock, ProductValue) or lock.call is None:
        return False
    parts = [
        (each.frame, held.span)
        for each in functions
        for held in entered_locks(each.frame, linker)
        if held.lock.call is lock.call
    ]
    is_slow = any(_is_slow(frame, span, linker, 0) for frame, span in parts)
    return is_slow and not any(_tells_behind(frame, span) for frame, span in parts)


def _is_slow(frame: Frame, span: Span, linker: Linker, level: int) -> bool:
    for call in _calls(frame, span):
        for traced in linker.evaluate(call.call.function, frame):
            match traced.value:
                case ExternalValue(path=path) if path in _SLOW:
                    return True
                case FunctionValue() as called if level < _DEEP and called.module.first_party:
                    inner = linker.evaluator.enter(called, call.call, frame)
                    if inner is not None and _is_slow(inner, inner.function.span, linker, level + 1):
                        return True
                case _:
                    pass
    return False


def _tells_behind(frame: Frame, span: Span) -> bool:
    calls = _calls(frame, Span(span.end, frame.function.span.end))
    return any(isinstance(each.call.function, Attribute) and each.call.function.name in _TELLS for each in calls)


def _calls(frame: Frame, span: Span) -> Iterator[Called]:
    return (each for each in frame.function.events if isinstance(each, Called) and span.contains(each.span))
