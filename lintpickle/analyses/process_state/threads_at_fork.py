"""Threads that the main process starts before it starts workers. A forked worker has none of them: `fork` copies only
the thread that calls it (POSIX, `fork`; measured with CPython 3.11)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.calls_and_values.hierarchies import external_bases
from lintpickle.analyses.workers.before_start import comes_before_start
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import owns
from lintpickle.facts.records import Called
from lintpickle.facts.values import Argument, Call
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ExternalValue,
    Frame,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.frames import Arguments, expand
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_reader import code_of
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_THREAD = "threading.Thread"
_TARGETS = {_THREAD: ("target", "args"), "threading.Timer": ("function", "args")}
"""The classes that call a function in a thread: the names of the function and of its arguments. Both come second and
later, as positional arguments: `Thread(None, work)`, `Timer(5, work, (1,))`."""
THREADS = ("Thread", "Timer")
_MAKES_THREAD = re.compile(r"\b(?:Thread|Timer)\s*\(")
_DERIVED = re.compile(r"\bclass\s+(\w+)\s*\([^()]*\bThread\b")
_REPEATS = re.compile(r"\b(?:while|for)\b")
_ENDS = re.compile(r"\.join\(")
_STORED = re.compile(r"[ \t]*((?:\w+\.)?\w+) *= *")


class ThreadAtFork(Struct, frozen=True):
    """What runs in a thread, the call that makes it, and whether it may repeat what it does. `is_kept` says that
    workers come to that call, too, and do not make it, since they have the object that says that there is a thread."""

    functions: tuple[WorkerFunction, ...]
    site: Site
    repeats: bool
    is_kept: bool = False


def threads_at_fork(code: WorkerCode, of_objects: bool, linker: Linker) -> Iterator[ThreadAtFork]:
    """The threads that the main process makes before it starts the workers. `of_objects` are told apart by the object
    whose method makes them."""
    asker, running = code.root.site.module.path, {id(each.facts) for each in code.functions}
    for root in _making_threads(asker, linker):
        for event in root.function.events:
            if not isinstance(event, Called) or _run_by(event.call, root.frame, linker) is None:
                continue
            is_kept = id(root.function) in running
            if is_kept and not (of_objects and _is_kept_once(event, root, code, linker)):
                continue
            starts = [
                there.function
                for there, at in _starts(root, event.span, asker, linker)
                if comes_before_start(there.frame.module, there.function, at, code, linker, _ENDS)
            ]
            if starts:
                yield from _made(event.call, root.frame, is_kept, linker)
            is_of_object = bool(starts) and of_objects and root.instance_name is not None
            for frame in frames_of_calls(root.function, asker, linker) if is_of_object else ():
                if starts != [root.function] or _is_entered_before(frame, code, linker):
                    yield from _made(event.call, frame, is_kept, linker)


def _is_kept_once(event: Called, root: RootFrame, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function that workers run, too, makes a thread only where there is none yet: `if self._thread is None`.
    A forked worker has the object that says that there is one, unless it sets that anew."""
    text, begun = root.frame.module.code, linker.worker_codes_of_makers(code.boundary) if code.boundary else ()
    stored = _STORED.fullmatch(text, text.rfind("\n", 0, event.span.start) + 1, event.span.start)
    if stored is None or stored[1] not in event.guards:
        return False
    name = stored[1].rpartition(".")[2]
    anew = re.compile(rf"\b{re.escape(name)}\s*=(?!=)")
    others = (each for found in (code, *begun) for each in found.functions if each.facts is not root.function)
    return not any(anew.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in others)


def _is_entered_before(frame: Frame, code: WorkerCode, linker: Linker) -> bool:
    """Whether the call that enters a function comes before the start of the workers."""
    if frame.called_by is None:
        return False
    caller, call = frame.called_by
    return comes_before_start(caller.module, caller.function, call.span, code, linker, _ENDS)


def _made(call: Call, frame: Frame, is_kept: bool, linker: Linker) -> Iterator[ThreadAtFork]:
    """The thread that a call makes in one frame."""
    site, run = Site(frame.module, call.span), _run_by(call, frame, linker)
    functions = code_of(*run, (Hop("the thread is made here", site),), linker) if run is not None else ()
    if functions:
        yield ThreadAtFork(functions, site, any(map(_repeats, functions)), is_kept)


def _starts(root: RootFrame, made: Span, asker: str, linker: Linker) -> Iterator[tuple[RootFrame, Span]]:
    """Where a thread is started: by the name or attribute to which the call that makes it is assigned. Where it is
    made, if it is started in no such way."""
    code = root.frame.module.code
    stored = _STORED.fullmatch(code, code.rfind("\n", 0, made.start) + 1, made.start)
    if stored is not None:
        form = re.compile(rf"(?<![\w.]){re.escape(stored[1])}\s*\.start\(")
        is_attribute = "." in stored[1]
        found = False
        for there in linker.activations_with({"start"}, form, asker):
            if there.frame.module is root.frame.module and (is_attribute or there.function is root.function):
                span = there.function.span
                for start in form.finditer(there.frame.module.code, span.start, span.end):
                    if owns(there.function, start.start()):
                        found = True
                        yield there, Span(*start.span())
        if found:
            return
    yield root, made


def _repeats(function: WorkerFunction) -> bool:
    facts = function.facts
    return _REPEATS.search(function.module.code, facts.header.end, facts.span.end) is not None


def _making_threads(asker: str, linker: Linker) -> Iterator[RootFrame]:
    yield from linker.activations_with(THREADS, _MAKES_THREAD, asker)
    derived = {
        found[1]
        for module in linker.first_party.naming_in_text(Words({"Thread"}), asker, _DERIVED)
        for found in _DERIVED.finditer(module.code)
    }
    if derived:
        form = re.compile(rf"(?<!class )\b(?:{'|'.join(sorted(derived))})\s*\(")
        yield from linker.activations_with(derived, form, asker)


def _run_by(call: Call, frame: Frame, linker: Linker) -> tuple[FunctionValue, Arguments] | None:
    """The function that a thread runs which a call makes, and its arguments."""
    for traced in linker.evaluate(call.function, frame):
        match traced.value:
            case ExternalValue(path=path) if path in _TARGETS:
                function, arguments = (call.argument(name, at) for at, name in enumerate(_TARGETS[path], 1))
                spread = (Argument(arguments, star="*"),) if arguments is not None else ()
                values = [each.value for each in linker.evaluate(function, frame)] if function is not None else []
                if len(values) == 1 and isinstance(values[0], FunctionValue) and function is not None:
                    made = Call(call.span, function, spread)
                    return values[0], expand(made, frame, linker.evaluator)
            case ClassValue() as class_ if _THREAD in external_bases(linker.classes.mro(class_)):
                made_by = (each.value for each in linker.evaluate(call, frame))
                instance = next((each for each in made_by if isinstance(each, InstanceValue)), None)
                found = linker.classes.find_method(instance, "run") if instance is not None else None
                if found is not None:
                    run = FunctionValue(found[0].module, found[1], found[0].frame, instance)
                    return run, Arguments((), {}, False)
            case _:
                pass
    return None
