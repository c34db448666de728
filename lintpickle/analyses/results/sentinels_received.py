"""Objects of modules that stand for themselves (`STOP = object()`), put into a queue by one side, and compared by the
other with what the queue gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.read_objects import Owner, class_objects_read, owner_of, path_of
from lintpickle.analyses.results.own_identities import comes_back, enum_of, made_at, stands_for_itself
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Constant, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_GETS = frozenset({"get", "get_nowait", "recv"})
_NAME = r"(?P<name>(?:[^\W\d]\w*\.)?[^\W\d]\w*)"
_COMPARED = re.compile(rf"(?<![\w.])(?P<held>[^\W\d]\w*)\s*(?:\bis(?:\s+not)?\s|==|!=)\s*{_NAME}\b(?!\s*[.(\[])")
_ASKED = r"(?<![\w.])[\w.]+\.(?:get|get_nowait|recv)"
_DIRECTLY = re.compile(rf"{_ASKED}\((?:timeout=)?[\w.]*\)\s*\)?\s*(?:\bis(?:\s+not)?\s|==|!=)\s*{_NAME}\b(?!\s*[.(\[])")
_ITERATED = re.compile(rf"\biter\(\s*[\w.]+\.(?:get|recv)\s*,\s*{_NAME}\s*\)")
_OF_THREADS = ("queue.", "asyncio.", "collections.")
"""How the paths of queues begin that no process shares."""


class SentinelReceived(Struct, frozen=True):
    """A place where a function of workers compares what a queue gives with an object that others put into one, the name
    of the object, and where that is made. Of a member of an `Enum`, `enum` is the name of the class: such a member is
    pickled as its value, and the class has none of the value that arrives."""

    function: WorkerFunction
    name: str
    made: Site
    span: Span
    enum: str | None


def sentinels_received(code: WorkerCode, linker: Linker) -> Iterator[SentinelReceived]:
    """The places in the functions of the workers of a boundary."""
    for function in code.functions if code.boundary is not None else ():
        for found in _received(function, linker):
            name = found["name"]
            owner = _sentinel(name, function, linker)
            if owner is None or not stands_for_itself(owner.value, linker) or comes_back(owner):
                continue
            if any(_is_put(owner.name, module, code, linker) for module in {code.root.site.module, function.module}):
                span = Span(found.start(), found.end())
                yield SentinelReceived(function, name, made_at(owner), span, enum_of(owner))


def _sentinel(name: str, function: WorkerFunction, linker: Linker) -> Owner | None:
    """The object that a name in a function stands for: one of a module, or of the body of a class (`Channel.END`)."""
    owner = owner_of(name, function.module, linker)
    if owner is not None:
        return owner if owner.text not in ("", "None") else None
    return next((each for each, read in class_objects_read(function, linker) if read.written == name), None)


def _received(function: WorkerFunction, linker: Linker) -> Iterator[re.Match[str]]:
    """The places where a function compares what a queue gives it."""
    code, start, end = function.module.code, function.facts.header.end, function.facts.span.end
    for form in (_ITERATED, _DIRECTLY, _COMPARED):
        for found in form.finditer(code, start, end):
            row = code.rfind("\n", 0, found.start()) + 1
            if form is _COMPARED:
                is_got = _is_got(function, found["held"], linker)
            else:
                is_got = not _is_asked_of_threads(found, function, linker)
            if is_got and "#" not in code[row : found.start()]:
                yield found


def _is_asked_of_threads(found: re.Match[str], function: WorkerFunction, linker: Linker) -> bool:
    """Whether a place asks a queue that no process shares: `iter(own.get, END)`, `own.get() is END`."""
    for event in function.facts.events:
        if isinstance(event, Called) and event.call.span.start == found.start():
            given = (event.call.function, *(each.value for each in event.call.arguments))
            bases = (each.base for each in given if isinstance(each, Attribute) and each.name in _GETS)
            return any(
                _is_of_threads(path_of(each.value)) for base in bases for each in linker.evaluate(base, function.frame)
            )
    return False


def _is_got(function: WorkerFunction, name: str, linker: Linker) -> bool:
    """Whether a variable holds what a queue or pipe gives that processes may share."""
    held = function.facts.variables.get(name)
    for value in map(without_narrowing, options_of(without_narrowing(held))) if held is not None else ():
        match value:
            case Call(function=Attribute(base=base, name=method), arguments=given) if method in _GETS and all(
                each.keyword or isinstance(each.value, Constant) for each in given
            ):
                return not any(_is_of_threads(path_of(each.value)) for each in linker.evaluate(base, function.frame))
            case _:
                pass
    return False


def _is_of_threads(path: str | None) -> bool:
    return path is not None and path.startswith(_OF_THREADS)


def _is_put(name: str, module: Module, code: WorkerCode, linker: Linker) -> bool:
    """Whether a module puts an object into a queue, outside of the functions that only these workers run."""
    puts = list(_put(name).finditer(module.code)) if module.first_party else []
    inside = [
        each.facts.span
        for each in code.functions
        if puts and each.module is module and not _runs_in_main(each, code, linker)
    ]
    return any(not any(span.start <= put.start() < span.end for span in inside) for put in puts)


def _runs_in_main(function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether the main process calls a function of workers itself."""
    asker = code.root.site.module.path
    return not function.entry and next(calls_by_main(function.facts, code, linker, asker), None) is not None


@lru_cache(maxsize=64)
def _put(name: str) -> re.Pattern[str]:
    return re.compile(rf"\.\s*(?:put|put_nowait|send)\(\s*(?:\w+\.)*{re.escape(name)}\s*[,)]")
