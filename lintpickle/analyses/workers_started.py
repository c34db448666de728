"""Whether the main process sets something before any worker starts, or only when none will start any more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.components import WORKER_KINDS
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_STARTS = ".start("
_PROGRAM = "main"
_POOL, _MADE = "pool", ".Pool"


def is_after_workers(spans: Sequence[Span], function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether some places of a function that is called once come after all starts of workers of the program, which
    stand in it as well. For `migrate`, which judges all modules together."""
    if linker.moving_to is None or not spans:
        return False
    started = _starts(linker)
    if (
        not started
        or any(each.frame.function is not function for each in started)
        or not _is_called_once(function, module)
    ):
        return False
    paths, last = Paths(module, function.span), max(each.site.span.end for each in started)
    return all(
        last <= span.start
        and module.code.find(_STARTS, span.start, function.span.end) < 0
        and not any(paths.share_a_loop(each.site.span.start, span.start) for each in started)
        for span in spans
    )


def is_before_all_workers(span: Span, function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether a place of a function that is called once comes before all starts of workers of the program, which stand
    in it as well, and is surely come to. For `migrate`, too."""
    if linker.moving_to is None or not _is_called_once(function, module):
        return False
    started = _starts(linker)
    here = started and all(each.frame.function is function for each in started)
    paths = Paths(module, function.span)
    return bool(here) and all(paths.precedes(span.start, each.site.span.start) for each in started)


def _starts(linker: Linker) -> list[BoundaryCall]:
    """The calls that start workers. A pool of multiprocessing starts them where it is made, not where it gets tasks;
    if that place is not known, the tasks count."""
    started = [each for each in linker.boundary_calls() if each.spec.kind in WORKER_KINDS]
    makes_pool = any(each.spec.kind == _POOL and each.spec.path.endswith(_MADE) for each in started)
    return [each for each in started if not makes_pool or each.spec.kind != _POOL or each.spec.path.endswith(_MADE)]


def _is_called_once(function: FunctionFacts, module: Module) -> bool:
    """Whether a function is what the program begins with: another one may be called in a loop."""
    calls = re.findall(rf"(?<!def )\b{_PROGRAM}\s*\(", module.code)
    return function.qualname == _PROGRAM and len(calls) <= 1
