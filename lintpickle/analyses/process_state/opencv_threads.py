"""Calls that OpenCV runs in several threads, and where a program sets their number."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.process_state.distance_transforms import is_serial_transform
from lintpickle.analyses.process_state.small_images import is_small
from lintpickle.facts.records import Called, Event, FunctionFacts
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.interpreter.abstract_values import (
    ExternalValue,
    Frame,
    FunctionValue,
    ProductValue,
    Site,
    is_indefinite,
)
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_NAME = re.compile("cv2")
SETTER = "setNumThreads"
_SETTER_WORDS = Words({SETTER})
_SETTER_CALL = re.compile(rf"^[^#\n]*\b{SETTER}\s*\(", re.MULTILINE)
_SETTER_CALL_IN_FUNCTION = re.compile(rf"^[ \t]+[^#\n]*\b{SETTER}\s*\(", re.MULTILINE)
_SETTER_FORM = re.compile(rf"\b{SETTER}\s*\(")


class ThreadedCall(Struct, frozen=True):
    """A call that OpenCV runs in several threads, and the line of the project that leads to it."""

    function: WorkerFunction
    path: str
    site: Site
    place: Site


def first_calls(functions: Iterable[WorkerFunction], linker: Linker) -> dict[str, ThreadedCall]:
    """For each first-party file, by its path: the first call that uses the thread pool, or else the first line that
    leads to one in a library."""
    first: dict[str, ThreadedCall] = {}
    for function in functions:
        if not function.module.has(_NAME):
            continue
        for call in _threaded_calls(function, linker):
            path = call.place.module.path
            if path not in first or _rank(call) < _rank(first[path]):
                first[path] = call
    return first


def _rank(call: ThreadedCall) -> tuple[bool, int]:
    return (call.place != call.site, call.place.span.start)


def _threaded_calls(function: WorkerFunction, linker: Linker) -> Iterator[ThreadedCall]:
    words = linker.catalog.thread_pool_words()
    for event in function.facts.events:
        if not isinstance(event, Called) or not _may_be_called(event.call.function, words):
            continue
        for path in _called_paths(event.call.function, function.frame, linker):
            if linker.catalog.uses_thread_pool(path) and not _is_serial(path, event.call, function.frame, linker):
                site = Site(function.module, event.call.span)
                places = (site, *(hop.site for hop in reversed(function.hops)))
                place = next((each for each in places if each.module.first_party), None)
                if place is not None:
                    yield ThreadedCall(function, path, site, place)
                break


def _is_serial(path: str, call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a function that may use the thread pool does not with the arguments of this call."""
    return is_small(path, call, frame, linker) or is_serial_transform(path, call, frame, linker)


def _may_be_called(callee: Expr, words: Collection[str]) -> bool:
    """Whether a callee can be a function of one of the names. A bare name may stand for another one that was
    imported."""
    return not isinstance(callee, Attribute) or callee.name in words


def _called_paths(callee: Expr, frame: Frame, linker: Linker) -> Iterator[str]:
    """The dotted names of the library functions that are called, such as `cv2.CLAHE.apply` for a method."""
    for traced in linker.evaluate(callee, frame):
        if isinstance(traced.value, ExternalValue):
            yield traced.value.path
    if isinstance(callee, Attribute):
        for traced in linker.evaluate(callee.base, frame):
            if isinstance(traced.value, ProductValue):
                yield f"{traced.value.product.type}.{callee.name}"


def is_limited(code: WorkerCode, linker: Linker) -> bool:
    """Whether the workers set the number of threads, or run a `worker_init_fn` that may do so."""
    if any(_sets_threads(each.facts.events, each.module, each.frame, linker) for each in code.functions):
        return True
    boundary = code.boundary
    if boundary is not None and any(is_indefinite(r.value) for r in boundary.value("worker_init_fn", linker.evaluator)):
        return True
    form = _setting_form(code, linker)
    return any(_is_set_on_import(module, form, linker) for module in imported_with(_on_the_way(code), linker))


def _setting_form(code: WorkerCode, linker: Linker) -> re.Pattern[str]:
    """Words in modules that may set the number of threads at import: the setter, or the name of a function of the
    program that contains it."""
    names = {SETTER}
    for module in linker.first_party.naming_in_text(_SETTER_WORDS, code.root.site.module.path):
        names.update(each.name for each in functions_of(module, _SETTER_FORM, _holds_setter(module)))
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\s*\(")


def _holds_setter(module: Module) -> Callable[[FunctionFacts], bool]:
    def holds(function: FunctionFacts) -> bool:
        return _SETTER_FORM.search(module.code, function.span.start, function.span.end) is not None

    return holds


def _is_set_on_import(module: Module, form: re.Pattern[str], linker: Linker) -> bool:
    """Whether the module's own code, or a function that it calls at once, sets the number of threads."""
    for block in module.facts_of_blocks() if module.has(form) else ():
        frame = linker.evaluator.module_frame(module, block.body)
        events = [each for each in block.body.events if isinstance(each, Called) and not each.main_guard]
        if _sets_threads(events, module, frame, linker):
            return True
        for event in events:
            for traced in linker.evaluate(event.call.function, frame):
                if isinstance(traced.value, FunctionValue):
                    callee = traced.value
                    inner = Frame(callee.module, callee.facts, {}, callee.frame, 1)
                    if _sets_threads(callee.facts.events, callee.module, inner, linker):
                        return True
    return False


def is_set_anywhere(asker: str, linker: Linker) -> bool:
    """Whether any module of the program mentions the setter; `asker` is the path of the module being judged."""
    return linker.first_party.is_anywhere(_SETTER_WORDS, asker)


def is_set_by_main(code: WorkerCode, linker: Linker) -> bool:
    """Whether a module on the way to the workers, or of what runs there, calls the setter, if not in them, or any
    function of the program does, which main may call: forked workers have what the main process has set."""
    if any(_SETTER_CALL.search(module.code) for module in _on_the_way(code)):
        return True
    return linker.first_party.is_anywhere(_SETTER_WORDS, code.root.site.module.path, _SETTER_CALL_IN_FUNCTION)


def _on_the_way(code: WorkerCode) -> Iterator[Module]:
    """The modules of the code that runs in workers, and of what leads to the loader."""
    yield from (each.module for each in code.functions)
    if code.boundary is not None:
        # The main script is imported again by spawned workers, and it is on the way to the loader.
        yield from (code.boundary.frame.module, *(hop.site.module for hop in code.boundary.hops))


def _sets_threads(events: Iterable[Event], module: Module, frame: Frame, linker: Linker) -> bool:
    return SETTER in module.code and any(
        path == f"cv2.{SETTER}"
        for event in events
        if isinstance(event, Called) and _may_be_called(event.call.function, (SETTER,))
        for path in _called_paths(event.call.function, frame, linker)
    )
