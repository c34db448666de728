"""Whether the main process sets something before any worker starts, or only when none will start any more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from lintpickle.analyses.callers_by_name import calls_by_name
from lintpickle.analyses.import_time import guard_of
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.components import WORKER_KINDS
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_STARTS = ".start("
_PROGRAM = "main"
_DEEPEST = 4
"""How many calls are followed back to where a program begins."""
_POOL, _MADE = "pool", ".Pool"


class _Place(Struct, frozen=True):
    """A place in what a program begins with: its `main()`, or what stands under its main guard."""

    module: Module
    function: FunctionFacts
    span: Span


def is_after_workers(spans: Sequence[Span], function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether a program comes to some places of a function, itself or by the calls that lead there, only after all
    starts of its workers. For `migrate`, which judges all modules together."""
    started = _starts(linker) if linker.moving_to is not None and spans else []
    if not started:
        return False
    changes = _in_programs([(span, function, module) for span in spans], linker)
    if not changes:
        return False
    starts: list[_Place] = []
    for each in started:
        found = _in_programs([(each.site.span, each.frame.function, each.site.module)], linker)
        if found is None and any(_imports(change.module, each.site.module, linker) for change in changes):
            return False  # Whatever calls that may do so at any time.
        starts += found or ()
    return all(_is_behind(change, [each for each in starts if each.function is change.function]) for change in changes)


def _is_behind(change: _Place, starts: Sequence[_Place]) -> bool:
    """Whether a place comes after some starts of workers that stand in the same function, of which there are some."""
    module, function = change.module, change.function
    paths = Paths(module, function.span)
    return (
        bool(starts)
        and max(each.span.end for each in starts) <= change.span.start
        and module.code.find(_STARTS, change.span.start, function.span.end) < 0
        and not any(paths.share_a_loop(each.span.start, change.span.start) for each in starts)
    )


def _imports(program: Module, module: Module, linker: Linker) -> bool:
    return module is program or module in imported_with([program], linker)


def _in_programs(
    places: Iterable[tuple[Span, FunctionFacts, Module]], linker: Linker, depth: int = 0
) -> list[_Place] | None:
    """From where programs come to some places of functions, each once; None if that is not seen."""
    found: dict[tuple[str, Span], _Place] = {}
    for span, function, module in places:
        if function.is_module_body and guard_of(span.start, module) is None:
            return None
        if function.is_module_body or (function.qualname == _PROGRAM and _is_called_once(function, module)):
            leading: list[_Place] | None = [_Place(module, function, span)]
        else:
            leading = _calling(function, module, linker, depth)
        if leading is None:
            return None
        found.update(((each.module.path, each.span), each) for each in leading)
    return list(found.values())


def _calling(function: FunctionFacts, module: Module, linker: Linker, depth: int) -> list[_Place] | None:
    """From where programs come to the calls of a function, which is asked of one for many that it calls."""

    def find() -> list[_Place] | None:
        calls = calls_by_name(function, module.path, linker) if depth < _DEEPEST else ()
        return _in_programs([(at, caller, home) for home, caller, at in calls], linker, depth + 1) if calls else None

    return linker.remembered(("calling in programs", module.path, function.span, depth), find)


def is_before_all_workers(span: Span, function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether programs come to a place of a function, itself or by the calls that lead there, only before all starts of
    workers. For `migrate`, too."""
    started = _starts(linker) if linker.moving_to is not None else []
    changes = _in_programs([(span, function, module)], linker) if started else None
    if not changes:
        return False
    starts: list[_Place] = []
    for each in started:
        found = _in_programs([(each.site.span, each.frame.function, each.site.module)], linker)
        if not found:
            return False
        starts += found
    return all(_is_ahead(change, [each for each in starts if each.function is change.function]) for change in changes)


def is_after_first_workers(span: Span, function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether programs that come to a place of a function, itself or by the calls that lead there, have surely started
    workers by then that need the server. For `migrate`, too."""
    return _is_for_served(span, function, module, linker, _surely_comes_first)


def shares_a_loop_with_workers(span: Span, function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether programs come to a place of a function, itself or by the calls that lead there, in loops in which they
    start workers that need the server. For `migrate`, too."""
    return _is_for_served(span, function, module, linker, _shares_a_loop)


def _is_for_served(
    span: Span,
    function: FunctionFacts,
    module: Module,
    linker: Linker,
    is_so: Callable[[_Place, _Place], bool],
) -> bool:
    """Whether something holds of some start of workers that need the server, for each way to a place."""
    started = _starts(linker) if linker.moving_to is not None else []
    changes = _in_programs([(span, function, module)], linker) if started else None
    if not changes:
        return False
    served = [each for each in started if StartMethod.FORKSERVER in linker.boundaries.start_methods(each)]
    places = [(each.site.span, each.frame.function, each.site.module) for each in served]
    starts = [start for each in places for start in _in_programs([each], linker) or ()]
    return all(
        any(start.function is change.function and is_so(start, change) for start in starts) for change in changes
    )


def _shares_a_loop(start: _Place, change: _Place) -> bool:
    return Paths(change.module, change.function.span).share_a_loop(start.span.start, change.span.start)


def _surely_comes_first(start: _Place, change: _Place) -> bool:
    return Paths(change.module, change.function.span).precedes(start.span.start, change.span.start)


def _is_ahead(change: _Place, starts: Sequence[_Place]) -> bool:
    """Whether a place comes before some starts of workers that stand in the same function, of which there are some."""
    paths = Paths(change.module, change.function.span)
    return bool(starts) and all(
        change.span.start < each.span.start and not paths.share_a_loop(change.span.start, each.span.start)
        for each in starts
    )


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
