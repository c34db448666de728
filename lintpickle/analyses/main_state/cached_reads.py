"""Cached functions (`@lru_cache`) that read a file or the environment, which main calls before it writes to one: forked
workers have what was read before, others read it anew. That it is the same file is known where both name it alike. For
`migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.files_opened import NamingScope, opened_files, scope_called
from lintpickle.analyses.main_state.made_per_process import is_cache_decorator
from lintpickle.analyses.main_state.main_setters import Met, Setting, by_function
from lintpickle.analyses.main_state.read_objects import Reading
from lintpickle.control_flow.paths import Paths
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
_OTHERWISE = re.compile(
    r"\benviron\b|\bputenv\(|\bchdir\(|\bto_\w+\(|\b(?:replace|rename|unlink|remove|copy\w*|move)\("
)
"""What of that writes to files in other ways than by opening them, or changes which they are."""
_ASKS_PROCESS = re.compile(r"\benviron\b|\bgetenv\(|\bgetcwd\(")
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
                is_same = _is_same(function, root, span, Span(span.end, starts), linker)
                if is_same is False:
                    continue
                reading = Reading(facts.name, facts.header, is_same is None)
                yield function, reading, by_function(root.function, site, _READ_ANEW)
                break


def _text(root: RootFrame, between: Span) -> str:
    return root.frame.module.code[between.start : between.end]


def _is_same(function: WorkerFunction, root: RootFrame, call: Span, between: Span, linker: Linker) -> bool | None:
    """Whether a file that the cached function reads, as it is called at a place, is written between two others of that
    function; None if that is not known."""
    module = root.frame.module
    here = NamingScope(module, own=True)
    reading = scope_called(function.facts, function.module, module.code[call.start : call.end], here)
    reads = [each.path for each in opened_files(function.frame.paths.tree, reading) if not each.is_write]
    paths = Paths(module, root.function.span)
    found = list(opened_files(paths.tree, here))
    accesses = [each for each in found if between.start <= paths.span(each.node).start < between.end]
    texts = [(_text(root, between), [each.path for each in accesses if each.is_write])]
    for called, span in _called(root, between, linker):
        scope = scope_called(called.facts, called.module, module.code[span.start : span.end], here)
        inner = opened_files(Paths(called.module, called.facts.span).tree, scope)
        texts.append((_body(called), [each.path for each in inner if each.is_write]))
    writes = [path for _, found in texts for path in found]
    if not set(filter(None, reads)).isdisjoint(writes):
        return True
    is_told = bool(reads) and all(map(_is_text, (*reads, *writes)))
    is_all = not any(_OTHERWISE.search(text) for text, _ in texts) and _ASKS_PROCESS.search(function.text) is None
    return False if is_told and is_all else None


def _is_text(path: str) -> bool:
    """Whether a path is written out."""
    return path[:1] in ("'", '"') and " / " not in path


def _is_written(root: RootFrame, between: Span, linker: Linker) -> bool:
    """Whether something is written between two places of a function, by itself or by what it calls, and the cache is
    not emptied there."""
    code = root.frame.module.code
    if _CLEARS in _text(root, between):
        return False
    if _WRITES.search(code, between.start, between.end) is not None:
        return True
    for each, _ in _called(root, between, linker):
        if _CLEARS in _body(each):
            return False
        if _WRITES.search(_body(each)) is not None:
            return True
    return False


def _called(root: RootFrame, between: Span, linker: Linker) -> Iterator[tuple[FunctionValue, Span]]:
    """The functions of the program that a function calls between two places of it, each with the call."""
    for event in root.function.events:
        if isinstance(event, Called) and between.start <= event.span.start < between.end:
            for each in linker.evaluate(event.call.function, root.frame):
                if isinstance(each.value, FunctionValue) and each.value.module.first_party:
                    yield each.value, event.span


def _body(called: FunctionValue) -> str:
    return called.module.code[called.facts.header.end : called.facts.span.end]
