"""Calls of `set_start_method` in a process that has a start method already: a function that sets it and is called twice
or in a loop, a queue or a lock that is made before, a worker.

Measured with CPython 3.11 and 3.13: without `force`, each of them raises `RuntimeError: context has already been set`,
whichever method it names. A worker of `multiprocessing`, `concurrent.futures` or torch has a start method from the
beginning, under fork, spawn and forkserver.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import guard_of, is_guard
from lintpickle.analyses.calls_and_values.happenings import Happening, frames_leading_to, happenings
from lintpickle.analyses.calls_and_values.rounds import rounds_around, runs_as_iterated
from lintpickle.analyses.process_state.default_contexts import (
    MAKING,
    SET_ALREADY,
    fixes_start_method,
    is_prepared,
    is_tried,
    names_setter,
    sets_start_method,
)
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

SETTING = Words({"set_start_method"})
_STARTED = re.compile(r"(?:torch|multiprocessing|concurrent|mp-pool|mp-context|process-executor)\.")
"""What the boundaries are called whose workers were seen to have a start method."""
_LEAVES = re.compile(r"\b(?:break|return|raise|_?exit)\b")


class SetAgain(Struct, frozen=True):
    """A call that sets the start method, and what has given the process one before: another call (`is_set`: by setting
    one), the same one by another way (`is_itself`), or that of an earlier round of a loop. `way` are the calls that
    lead to it from the function that does both. `is_sure` says that each run of the program comes to both and ends
    there by the error."""

    site: Site
    before: Site
    way: tuple[Site, ...]
    is_set: bool = False
    is_itself: bool = False
    is_in_loop: bool = False
    is_sure: bool = False


class _Step(Struct, frozen=True):
    """A place of a function on the way to something: that of a call, or of the thing itself."""

    site: Site
    frame: Frame

    @property
    def is_certain(self) -> bool:
        """Whether the function always comes there when it is called, its main guard aside, if it is a module."""
        if runs_as_iterated(self.frame.function) or self.frame.function.is_async:
            return False
        place, module = self.site.span.start, self.frame.module
        steps = [each for each in self.frame.paths.steps(place) if not each.fails]
        is_guarded = self.frame.function.is_module_body and guard_of(place, module) is not None
        return len(steps) <= int(is_guarded)

    @property
    def is_handled(self) -> bool:
        """Whether the function handles the error."""
        return is_ready_for(SET_ALREADY.partition(":")[0], *self.frame.paths.in_tree(self.site.span.start))

    def is_in_each_round(self, loop: Span) -> bool:
        """Whether each round of a loop comes there, and none leaves the loop."""
        place, paths = self.site.span.start, self.frame.paths
        inner = (paths.span(each.node) for each in paths.steps(place) if isinstance(each.node, ast.stmt))
        if any(loop.contains(each) and each != loop for each in inner):
            return False
        return _LEAVES.search(self.frame.module.code, loop.start, loop.end) is None


class _Way(Struct, frozen=True):
    """The places by which a function comes to a call, the outermost first; `is_set` says that it sets the method."""

    steps: tuple[_Step, ...]
    is_set: bool

    @property
    def site(self) -> Site:
        """Where the call stands."""
        return self.steps[-1].site


def set_again(module: Module, linker: Linker) -> Iterator[SetAgain]:
    """The calls in a module by which the start method is set too late."""
    if module.document.cells is not None:
        return
    for block in SETTING.plots_in(module.lexicon, module.outline.blocks):
        facts = module.facts_of(block)
        for root in linker.activations.in_block(module, facts, SETTING.pattern) if facts is not None else ():
            for event in root.function.events:
                if isinstance(event, Called) and _may_fail(event, root.frame, linker):
                    found = _search(event, root.frame, linker)
                    if found is not None:
                        yield found


def set_in_workers(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Site]]:
    """The calls in functions that workers run."""
    if code.boundary is None or not _STARTED.match(code.boundary.spec.path) or not code.boundary.is_stock:
        return
    for function in code.functions:
        if function.module.first_party and SETTING.stand_alone_in(function.text):
            for event in function.facts.events:
                if isinstance(event, Called) and _may_fail(event, function.frame, linker):
                    yield function, Site(function.module, event.call.span)


def _may_fail(event: Called, frame: Frame, linker: Linker) -> bool:
    return sets_start_method(event.call, frame, linker) and not is_prepared(event.call, frame)


def _search(setting: Called, home: Frame, linker: Linker) -> SetAgain | None:
    """What comes before a call, in its own function or in those that lead to that: the surest."""
    likely: SetAgain | None = None
    for frame in frames_leading_to(home, linker):
        for found in _in_order(setting, frame, linker):
            if found.is_sure:
                return found
            likely = likely or found
    return likely


def _in_order(setting: Called, frame: Frame, linker: Linker) -> Iterator[SetAgain]:
    """What a function does before it comes to a call, of all that gives the process a start method."""
    earlier: list[_Way] = []
    for each in (*_run_at_import(frame, linker), *_run_by(frame, linker)):
        if not isinstance(each.event, Called):
            continue
        call, is_it = each.event.call, each.event.call is setting.call
        if not is_it and not fixes_start_method(call, each.frame, linker):
            continue
        way = _Way(_steps(each), names_setter(call))
        if is_it and not any(step.is_handled for step in way.steps):
            yield from (found for before in earlier if (found := _behind(before, way, frame)) is not None)
            yield from _round_again(way)
        earlier.append(way)


def _run_at_import(frame: Frame, linker: Linker) -> Iterator[Happening]:
    """What has happened before a function runs, or what stands under the main guard of a module: what the statements of
    its module, and of those that it imports, make of the default context."""
    home = frame.module
    for module in imported_with((home,), linker):
        if not module.first_party or (module is home and frame.function.is_module_body) or not module.has(MAKING):
            continue
        for block in module.outline.blocks:
            runs = not (block.bare or block.is_class or block.defines_function or is_guard(block, module))
            facts = module.facts_of(block) if runs and MAKING.search(module.facts.text(block)) else None
            if facts is not None:
                yield from happenings(linker.evaluator.module_frame(module, facts.body), linker)


def _run_by(frame: Frame, linker: Linker) -> Iterator[Happening]:
    """What happens while a function runs; of a module, in all of its statements."""
    if not frame.function.is_module_body:
        yield from happenings(frame, linker)
        return
    module = frame.module
    for block in module.outline.blocks:
        runs = not (block.bare or block.is_class or block.defines_function)
        facts = module.facts_of(block) if runs else None
        if facts is not None:
            yield from happenings(linker.evaluator.module_frame(module, facts.body), linker)


def _steps(happening: Happening) -> tuple[_Step, ...]:
    """The places by which a function comes to what happens, the outermost first."""
    found = [_Step(happening.site, happening.frame)]
    for frame in happening.frame.way():
        if frame.called_by is not None:
            caller, call = frame.called_by
            found.append(_Step(Site(caller.module, call.span), caller))
    return tuple(reversed(found))


def _behind(before: _Way, way: _Way, home: Frame) -> SetAgain | None:
    """Whether every run that comes to a call has done something else before, or the same by another way."""
    pairs = enumerate(zip(before.steps, way.steps, strict=False))
    parted = next((at for at, (one, other) in pairs if one.site != other.site), None)
    if parted is None or not all(each.is_certain for each in before.steps[parted + 1 :]):
        return None
    first, second = before.steps[parted], way.steps[parted]
    is_imported = first.frame.function.is_module_body and (
        first.frame.module is not home.module or not home.function.is_module_body
    )
    if is_imported and home.function.is_module_body and guard_of(second.site.span.start, home.module) is None:
        return None  # The import may stand behind it.
    is_first = first.frame.paths.precedes(first.site.span.start, second.site.span.start)
    if not is_first and (first.frame.function is second.frame.function or not first.is_certain):
        return None
    is_again = parted < len(way.steps) - 1 and before.steps[-1].frame.function is way.steps[-1].frame.function
    if is_again and not all(each.is_certain for each in way.steps[parted + 1 :]):
        return None  # It may be set once only: `if not ready: …`.
    is_itself = before.site == way.site
    return SetAgain(
        way.site,
        first.site if is_itself else before.site,
        tuple(each.site for each in way.steps[parted:-1]),
        is_set=before.is_set,
        is_itself=is_itself,
        is_sure=home.function.is_module_body
        and not is_imported
        and all(each.is_certain and not is_tried(each.site.span.start, each.frame) for each in way.steps),
    )


def _round_again(way: _Way) -> Iterator[SetAgain]:
    """The loop on the way that comes to a call in each of its rounds."""
    for at, step in enumerate(way.steps):
        rounds = rounds_around(step.site)
        if rounds and step.is_in_each_round(rounds[-1]) and all(each.is_certain for each in way.steps[at + 1 :]):
            before = Site(step.frame.module, rounds[-1])
            yield SetAgain(way.site, before, tuple(each.site for each in way.steps[at:-1]), is_in_loop=True)
            return
