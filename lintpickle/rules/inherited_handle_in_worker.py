from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from lintpickle.analyses.process_state.files_at_fork import is_shared_by_fork, is_under_lock
from lintpickle.analyses.workers.several_workers import run_in_several
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.rules.authoring import (
    Attribute,
    Call,
    Called,
    ConstantValue,
    Frame,
    Hazard,
    Hop,
    Linker,
    ProductValue,
    Rule,
    Site,
    WorkerCode,
    WorkerFunction,
    excerpt,
)

_READS = frozenset({"read", "read1", "readline", "readlines", "readinto", "seek", "open", "extract", "extractfile"})
_CAPTURE_READS = frozenset({"read", "grab", "retrieve", "set"})

_ASKED = _READS | _CAPTURE_READS | {"begin"}

_SEVERAL = frozenset({"pool", "executor", "process"})


class _Harm(Struct, frozen=True):
    """What goes wrong, and what helps where it is not the help of the rule."""

    what: str
    help: str | None = None


_SHARED_OFFSET = _Harm("forked workers move one shared offset and get each other's data")
_READERS_FULL = _Harm(
    "each read in a forked worker takes a place in the environment's table of readers, until lmdb.ReadersFullError "
    "(from lmdb 3.0 on)",
    "pass `lock=False` if nobody writes, or open it in the workers only",
)
"""Measured with lmdb 3.0.0 and four forked workers: 1,874 of 2,000 reads failed; with `lock=False`, or 1.4.1, none."""


class InheritedHandleInWorker(Rule):
    """A file, archive, video or LMDB environment that is opened before workers are forked, which read it."""

    code = "LP305"
    name = "inherited-handle-in-worker"
    of_absence = True
    start_methods = (StartMethod.FORK,)
    message = "`{made}` is opened before the workers start, but read in `{user}`: {harm}"
    help = "open it on first use in each worker"
    words = frozenset({"open", "File(", "VideoCapture", "Environment("})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        kind = code.boundary.spec.kind if code.boundary is not None else None
        is_of_several = kind in _SEVERAL and may_be_forked(code, linker) and run_in_several(code, linker)
        if kind == "dataloader" or is_of_several:
            for function in code.functions:
                yield from _reads(function, code, linker)


def _reads(function: WorkerFunction, code: WorkerCode, linker: Linker) -> Iterator[Hazard]:
    for event in function.facts.events:
        match event:
            case Called(call=call):
                match call.function:
                    case Attribute(base=base, name=method) if method in _ASKED:
                        pass
                    case _:
                        continue
            case _:
                continue
        for traced in linker.evaluate(base, function.frame):
            value = traced.value
            harm = _harm(value, method, linker) if isinstance(value, ProductValue) else None
            if not isinstance(value, ProductValue) or harm is None:
                continue
            if is_shared_by_fork(value, base, function.frame, code, linker):
                assert value.call is not None and value.frame is not None
                yield Hazard(
                    site=Site(value.frame.module, value.call.span),
                    noun="the handle",
                    error=None,
                    help=harm.help,
                    data={
                        "made": excerpt(value.frame.module, value.call),
                        "user": function.facts.qualname,
                        "harm": harm.what,
                    },
                    hops=(*function.hops, Hop("reads from it", Site(function.module, call.span))),
                    confidence=Confidence.POSSIBLE if is_under_lock(call.span, function) else None,
                )


def _harm(value: ProductValue, method: str, linker: Linker) -> _Harm | None:
    """What goes wrong when forked workers call a method of what they have inherited; None if nothing does.
    Of h5py 3.16, of files that are mapped, and of databases of sqlite3, forked workers read right data."""
    if value.call is None or value.frame is None:
        return None
    if value.product.kind in ("file", "archive"):
        return _SHARED_OFFSET if method in _READS else None
    if value.path in ("lmdb.open", "lmdb.Environment"):
        return _READERS_FULL if method == "begin" and _locks(value.call, value.frame, linker) else None
    is_read = value.path.endswith("VideoCapture") and method in _CAPTURE_READS
    return _SHARED_OFFSET if is_read else None


def _locks(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether an LMDB environment surely has its lock: it is not passed, or true."""
    given = call.keyword("lock")
    if given is None:
        return not any(argument.star for argument in call.arguments)
    values = [traced.value for traced in linker.evaluate(given, frame)]
    return bool(values) and all(isinstance(each, ConstantValue) and each.value is True for each in values)
