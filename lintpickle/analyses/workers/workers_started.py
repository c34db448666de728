"""Whether the main process sets something before any worker starts, or only when none will start any more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import guard_of
from lintpickle.analyses.at_import.naming_modules import has_another
from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.analyses.calls_and_values.rounds import runs_as_iterated, share_rounds
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.interpreter.abstract_values import FunctionValue, Site
from lintpickle.payload.components import STARTING_KINDS, WORKER_KINDS
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_STARTS = ".start("
_PROGRAM = "main"
_EXECUTOR = "Executor"
"""How the paths of what makes an executor end."""
_GUARDED = Words({"__main__"})
_DEEPEST = 4
"""How many calls are followed back to where a program begins."""
_POOL, _MADE = "pool", ".Pool"
_LATER = "maxtasksperchild"


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
    return (
        bool(starts)
        and max(map(_end, starts)) <= change.span.start
        and module.code.find(_STARTS, change.span.start, function.span.end) < 0
        and not any(_shares_a_loop(each, change) for each in starts)
    )


def _end(place: _Place) -> int:
    """Where a place ends: of a call by its name, behind the arguments, which are worked out before."""
    calls = (each for each in place.function.events if isinstance(each, Called))
    ends = (each.span.end for each in calls if each.call.function.span.end == place.span.end - 1)
    return max(ends, default=place.span.end)


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
        if runs_as_iterated(function):
            return None
        calls = calls_by_name(function, module.path, linker) if depth < _DEEPEST else ()
        if linker.moving_to is not None or "." in function.qualname:  # Others may be called like this one.
            calls = tuple(each for each in calls if _may_be_meant(function, module, each[0], linker))
        others = [(at, caller, home) for home, caller, at in calls if caller is not function]
        return _in_programs(others, linker, depth + 1) if others else None

    return linker.remembered(("calling in programs", module.path, function.span, depth), find)


def _may_be_meant(function: FunctionFacts, home: Module, module: Module, linker: Linker) -> bool:
    """Whether a call in a module may be of a function of another one: they are of one program, and the module has none
    of its own by that name."""
    return _is_in_one_program(module, home, linker) and not has_another(function, home, module)


def _is_in_one_program(one: Module, other: Module, linker: Linker) -> bool:
    """Whether a module imports another one, or a program imports both."""
    if _imports(one, other, linker) or _imports(other, one, linker):
        return True
    programs = linker.first_party.naming_in_text(_GUARDED, other.path)
    return any(_imports(each, one, linker) and _imports(each, other, linker) for each in programs)


def is_before_all_workers(span: Span, function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether programs come to a place of a function, itself or by the calls that lead there, only before all starts of
    workers, and of managers, whose process is the first that needs a server. For `migrate`, too."""
    started = _starts(linker, STARTING_KINDS) if linker.moving_to is not None else []
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


def is_after_first_workers(span: Span, function: FunctionFacts, module: Module, asker: str, linker: Linker) -> bool:
    """Whether programs that come to a place of a function, itself or by the calls that lead there, have surely started
    workers by then that need the server, or that of a manager. `migrate` looks at all modules, others at that of the
    `asker`."""
    return _is_for_served(span, function, module, asker, linker, _surely_comes_first, started_at)


def is_between_pool_and_task(site: Site, setter: FunctionFacts | None, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether programs come to a place, which `setter` has, or the main guard, after they have made a pool of
    multiprocessing, and before they give it such tasks as a boundary does. (Measured with CPython 3.11: the workers of
    a pool start as it is made, those of an executor with its first tasks. With `maxtasksperchild`, others follow.)"""
    maker = _pool_of(boundary, linker) if boundary.spec.kind == _POOL else None
    if maker is None or _LATER in maker.arguments:
        return False
    home = boundary.frame.function
    function = setter if setter is not None else (home if home.is_module_body else None)
    changes = _in_programs([(site.span, function, site.module)], linker) if function is not None else None
    made = _in_programs([_standing(maker)], linker) if changes else None
    alike = [each for each in linker.boundary_calls() if _is_such_a_task(each, boundary, maker, linker)] if made else []
    tasks = [place for each in (boundary, *alike) for place in _in_programs([_standing(each)], linker) or ()]
    is_set_by_giver = function is not None and _is_called_before(function, site.module, boundary, linker)
    return bool(changes and made) and all(
        any(_surely_comes_first(each, change) for each in made or () if each.function is change.function)
        and any(
            _surely_comes_first(change, each) or (is_set_by_giver and each.span == change.span)
            for each in tasks
            if each.function is change.function
        )
        for change in changes or ()
    )


def _is_called_before(setter: FunctionFacts, module: Module, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the function that has a boundary calls another one surely before that."""
    home, paths = boundary.frame.function, boundary.frame.paths
    calls = calls_by_name(setter, module.path, linker) if setter is not home else ()
    return any(caller is home and paths.precedes(at.start, boundary.site.span.start) for _, caller, at in calls)


def _standing(boundary: BoundaryCall) -> tuple[Span, FunctionFacts, Module]:
    return boundary.site.span, boundary.frame.function, boundary.site.module


def _pool_of(boundary: BoundaryCall, linker: Linker) -> BoundaryCall | None:
    """The one making of the pool that a boundary gives tasks."""
    makers = linker.makers_of(boundary)
    return makers[0] if len(makers) == 1 else None


def _is_such_a_task(other: BoundaryCall, boundary: BoundaryCall, maker: BoundaryCall, linker: Linker) -> bool:
    """Whether a boundary gives the same pool tasks of the same function."""
    if other is boundary or other.spec.kind != _POOL or other.spec.path != boundary.spec.path:
        return False
    pool = _pool_of(other, linker)
    return (
        pool is not None
        and pool.call is maker.call
        and not _functions_of(other, linker).isdisjoint(_functions_of(boundary, linker))
    )


def _functions_of(boundary: BoundaryCall, linker: Linker) -> frozenset[int]:
    values = (each.value for name in boundary.spec.functions for each in boundary.value(name, linker.evaluator))
    return frozenset(id(each.facts) for each in values if isinstance(each, FunctionValue))


def shares_a_loop_with_workers(span: Span, function: FunctionFacts, module: Module, asker: str, linker: Linker) -> bool:
    """Whether programs come to a place of a function, itself or by the calls that lead there, in loops in which they
    start workers that need the server, or in which the function does so itself. `asker` is as above."""
    if linker.moving_to is not None or module.path == asker:
        for each in _starts(linker, STARTING_KINDS):
            is_served = StartMethod.FORKSERVER in linker.boundaries.starting.start_methods(each)
            if is_served and each.frame.function is function and share_rounds(each.site, Site(module, span)):
                return True
    return _is_for_served(span, function, module, asker, linker, _shares_a_loop, _made_at)


def _is_for_served(
    span: Span,
    function: FunctionFacts,
    module: Module,
    asker: str,
    linker: Linker,
    is_so: Callable[[_Place, _Place], bool],
    where: Callable[[BoundaryCall], Iterable[Span]],
) -> bool:
    """Whether something holds of some start of workers that need the server, for each way to a place."""
    if linker.moving_to is None and module.path != asker:
        return False
    started = _starts(linker, STARTING_KINDS)
    if linker.moving_to is None:
        started = [each for each in started if each.site.module.path == asker]
    changes = _in_programs([(span, function, module)], linker) if started else None
    if not changes:
        return False
    served = [each for each in started if StartMethod.FORKSERVER in linker.boundaries.starting.start_methods(each)]
    places = [(span, each.frame.function, each.site.module) for each in served for span in where(each)]
    starts = [start for each in places for start in _in_programs([each], linker) or ()]
    return all(
        any(start.function is change.function and is_so(start, change) for start in starts) for change in changes
    )


def _made_at(boundary: BoundaryCall) -> Iterator[Span]:
    yield boundary.site.span


def started_at(boundary: BoundaryCall) -> Iterator[Span]:
    """Where the processes of a boundary have surely started. Measured with CPython 3.11: an executor starts them when
    it gets its first task, a loader when it is iterated, and a process by its `start()`."""
    site, end = boundary.site, boundary.frame.function.span.end
    match boundary.spec.kind:
        case "process":
            started = site.module.code.find(_STARTS, site.span.end, end)
            if started >= 0:
                yield Span(started, started + len(_STARTS))
        case "dataloader":
            return
        case "executor" if boundary.spec.path.endswith(_EXECUTOR):
            return
        case _:
            yield site.span


def _shares_a_loop(start: _Place, change: _Place) -> bool:
    return share_rounds(Site(start.module, start.span), Site(change.module, change.span))


def _surely_comes_first(start: _Place, change: _Place) -> bool:
    return Paths(change.module, change.function.span).precedes(start.span.start, change.span.start)


def _is_ahead(change: _Place, starts: Sequence[_Place]) -> bool:
    """Whether a place comes before some starts of workers that stand in the same function, of which there are some."""
    return bool(starts) and all(
        change.span.start < each.span.start and not _shares_a_loop(each, change) for each in starts
    )


def _starts(linker: Linker, kinds: frozenset[str] = WORKER_KINDS) -> list[BoundaryCall]:
    """The calls that start workers, or processes of other kinds. A pool of multiprocessing starts them where it is
    made, not where it gets tasks; if that place is not known, the tasks count."""
    started = [each for each in linker.boundary_calls() if each.spec.kind in kinds]
    makes_pool = any(each.spec.kind == _POOL and each.spec.path.endswith(_MADE) for each in started)
    return [each for each in started if not makes_pool or each.spec.kind != _POOL or each.spec.path.endswith(_MADE)]


def _is_called_once(function: FunctionFacts, module: Module) -> bool:
    """Whether a function is what the program begins with: another one may be called in a loop."""
    calls = re.findall(rf"(?<!def )\b{_PROGRAM}\s*\(", module.code)
    return function.qualname == _PROGRAM and len(calls) <= 1
