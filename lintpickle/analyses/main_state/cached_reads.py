"""Cached functions (`@lru_cache`) that read a file or the environment, which main calls before it writes to one: forked
workers have what was read before, others read it anew. That it is the same file is only known where both name it alike.
For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.made_per_process import is_cache_decorator
from lintpickle.analyses.main_state.main_setters import Met, Setting, by_function
from lintpickle.analyses.main_state.read_objects import Reading
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import FunctionValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_READS = re.compile(r"\bopen\(|\benviron\b|\bgetenv\(|\bread_\w+\(|\bgetcwd\(")
_WRITES = re.compile(
    r"\bopen\([^\n]*['\"][wax]b?\+?['\"]|\.write_(?:text|bytes)\(|\benviron\[[^\n]*\]\s*=(?!=)|\benviron\.update\("
    r"|\bputenv\(|\bchdir\(|\bto_\w+\(|\b(?:replace|rename|unlink|remove|copy\w*|move)\("
)
_OPENED = re.compile(r"\bopen\(\s*([A-Z][A-Z_\d]*|'[^'\n]*'|\"[^\"\n]*\")\s*[,)]")
_READ_AS_PATH = re.compile(r"\b([A-Z][A-Z_\d]*)\.read_(?:text|bytes)\(")
_CLEARS = "cache_clear"
_READ_ANEW = Met("there its cache is empty, and it reads what is there by then", "filled before")


def cached_reads(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """Such functions that workers run, each with the call by main after which something is written."""
    boundary, asker = code.boundary, code.root.site.module.path
    if linker.moving_to is None or boundary is None:
        return
    for function in code.functions:
        facts, module = function.facts, function.module
        if not module.first_party:
            continue
        if not any(is_cache_decorator(each, function.frame, linker) for each in facts.decorators):
            continue
        if _READS.search(module.code, facts.header.end, facts.span.end) is None:
            continue
        for root, span in calls_by_main(facts, code, linker, asker):
            starts = boundary.call.span.start if boundary.frame.function is root.function else root.function.span.end
            if span.end < starts and _is_written(root, Span(span.end, starts), linker):
                site = Site(root.frame.module, span)
                between = Span(span.end, starts)
                is_same = _is_named_alike(function, _text(root, between)) or any(
                    called.module is module and _is_named_alike(function, _body(called))
                    for called in _called(root, between, linker)
                )
                reading = Reading(facts.name, facts.header, not is_same)
                yield function, reading, by_function(root.function, site, _READ_ANEW)
                break


def _text(root: RootFrame, between: Span) -> str:
    return root.frame.module.code[between.start : between.end]


def _is_named_alike(function: WorkerFunction, text: str) -> bool:
    """Whether a text opens a file to write by the constant or the literal by which a function opens one, or writes by
    the path by which that reads."""
    opened = _OPENED.findall(function.module.code, function.facts.header.end, function.facts.span.end)
    if any(re.search(rf"\bopen\(\s*(?:\w+\.)*{re.escape(each)}\s*,\s*['\"]w", text) for each in opened):
        return True
    paths = _READ_AS_PATH.findall(function.module.code, function.facts.header.end, function.facts.span.end)
    return any(re.search(rf"(?<!\w){each}\.write_(?:text|bytes)\(", text) for each in paths)


def _is_written(root: RootFrame, between: Span, linker: Linker) -> bool:
    """Whether something is written between two places of a function, by itself or by what it calls, and the cache is
    not emptied there."""
    code = root.frame.module.code
    if _CLEARS in _text(root, between):
        return False
    if _WRITES.search(code, between.start, between.end) is not None:
        return True
    for each in _called(root, between, linker):
        if _CLEARS in _body(each):
            return False
        if _WRITES.search(_body(each)) is not None:
            return True
    return False


def _called(root: RootFrame, between: Span, linker: Linker) -> Iterator[FunctionValue]:
    """The functions of the program that a function calls between two places of it."""
    for event in root.function.events:
        if isinstance(event, Called) and between.start <= event.span.start < between.end:
            for each in linker.evaluate(event.call.function, root.frame):
                if isinstance(each.value, FunctionValue) and each.value.module.first_party:
                    yield each.value


def _body(called: FunctionValue) -> str:
    return called.module.code[called.facts.header.end : called.facts.span.end]
