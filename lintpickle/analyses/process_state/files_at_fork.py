"""Files that the main process opens, and keeps, before it forks workers that read them: a forked process has a copy of
the file object, but shares the offset of the descriptor.

Measured with CPython 3.11 and four forked workers of a pool: of 1,200 reads behind a `seek`, 231 gave another place of
the file; of a `ZipFile`, 51 raised BadZipFile; of a `TarFile`, 22 gave wrong data; of `gzip.open`, nearly all failed.
`os.pread`, a file that is opened in each worker, and one worker alone: none.
"""

from __future__ import annotations

import re

from lintpickle.analyses.process_state.kept_in_globals import is_in_global
from lintpickle.analyses.workers.before_start import comes_before_start
from lintpickle.diagnostics import Span
from lintpickle.facts.records import ItemStore
from lintpickle.facts.values import Attribute, Call, Expr, Imported, Name, without_narrowing
from lintpickle.interpreter.abstract_values import ContainerValue, Frame, InstanceValue, ProductValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_PER_PROCESS = re.compile(r"\bgetpid\b|register_at_fork|get_worker_info")
"""What stands in code that keeps a file for each process, or opens it again behind a fork."""
_CLOSES = re.compile(r"\.(?:close|clear|cache_clear|popitem|pop)\(")
_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__"})
_TAKES_LOCK = re.compile(r"\bwith\b[^:\n]*lock|lock\w*\.acquire\(", re.IGNORECASE)
_CACHES = ("cache", "lru_cache", "cached")


def is_under_lock(place: Span, function: WorkerFunction) -> bool:
    """Whether the function takes a lock before it gets to a place: then one worker at a time moves the offset of a
    file, and goes to where it reads as a rule."""
    return _TAKES_LOCK.search(function.module.code, function.facts.span.start, place.start) is not None


def is_shared_by_fork(value: ProductValue, base: Expr, frame: Frame, code: WorkerCode, linker: Linker) -> bool:
    """Whether a file of which a function of workers calls a method (`base` in `frame`) is one that the main process has
    opened before it starts them: the function that opens it keeps it in its module, and runs before."""
    call, home = value.call, value.frame
    if call is None or home is None or not home.module.first_party:
        return False
    opener = home.function
    if opener.is_module_body:
        return True
    if any(_PER_PROCESS.search(each.code) for each in (home.module, frame.module)):
        return False
    if opener.name in _CONSTRUCTORS:
        return _is_of_module(base, frame, code, linker)
    if is_in_global(call, code, linker):
        return True
    if not _is_kept(call, home, code, linker) or _CLOSES.search(home.module.code) is not None:
        return False
    return comes_before_start(home.module, opener, call.span, code, linker)


def _is_of_module(base: Expr, frame: Frame, code: WorkerCode, linker: Linker) -> bool:
    """Whether a file is an attribute of an object that a module makes when it is imported, or that the main process
    puts into a global before it starts the workers."""
    inner = without_narrowing(base)
    if not isinstance(inner, Attribute):
        return False
    owners = [traced.value for traced in linker.evaluate(inner.base, frame)]
    return bool(owners) and all(
        isinstance(each, InstanceValue)
        and each.frame is not None
        and each.frame.module.first_party
        and (each.frame.function.is_module_body or (each.call is not None and is_in_global(each.call, code, linker)))
        for each in owners
    )


def _is_kept(call: Call, home: Frame, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function keeps what it opens for the next one who asks: in a container of its module, or because a
    decorator does. Workers that run it find what is there."""
    opener = home.function
    if opener.decorated_by(*_CACHES):
        return not opener.is_generator and any(_is_given(call, each, home, linker) for each in opener.returns)
    is_run_by_workers = any(each.facts is opener for each in code.functions)
    return any(
        isinstance(event, ItemStore)
        and isinstance(without_narrowing(event.target), Name | Imported)
        and (event.conditional or not is_run_by_workers)
        and _is_made_by(call, event.value, home, linker)
        for event in opener.events
    )


def _is_given(call: Call, value: Expr, home: Frame, linker: Linker) -> bool:
    """Whether a value is what a call opens, or a container or an object of the program that is made of it."""
    if _is_made_by(call, value, home, linker):
        return True
    for traced in linker.evaluate(value, home):
        match traced.value:
            case ContainerValue(slots=slots):
                held = [(slot.value, slot.frame) for slot in slots]
            case InstanceValue(call=Call(arguments=arguments), frame=Frame() as frame):
                held = [(each.value, frame) for each in arguments]
            case _:
                held = []
        if any(_is_made_by(call, each, inner, linker) for each, inner in held):
            return True
    return False


def _is_made_by(call: Call, value: Expr, home: Frame, linker: Linker) -> bool:
    found = (traced.value for traced in linker.evaluate(value, home))
    return any(isinstance(each, ProductValue) and each.call is call for each in found)
