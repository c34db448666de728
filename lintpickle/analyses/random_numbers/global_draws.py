"""Draws from the global generators of NumPy and torch in forked workers, which all begin with the state that these have
in the main process.

Measured with CPython 3.11, NumPy 2 and torch 2: forked processes, workers of pools and of executors draw the same
numbers from `numpy.random` and `torch`; the module `random` seeds itself anew in each forked process. Under spawn and
forkserver each worker has its own seeds. NumPy 2 loads `numpy.random` only when it is asked for: a worker that is the
first to do so has its own seed, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.random_numbers.shared_generators import only_waits
from lintpickle.analyses.workers.several_workers import initializers, is_of_one_task, loop_around, run_in_several
from lintpickle.analyses.workers.worker_functions import may_be_forked
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.interpreter.abstract_values import (
    ClassValue,
    ConstantValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
)
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_LIBRARIES = {"numpy": "NumPy", "torch": "torch"}
_DRAWS = re.compile(
    r"numpy\.random\.(?!(?:default_rng|seed|get_\w+|set_\w+)$)[a-z]\w*"
    r"|torch\.(?:(?:rand|randn|randint)(?:_like)?|randperm|normal|bernoulli|multinomial|poisson)"
)
_WORDS = re.compile(r"\brandom\b|\brand|\b(?:normal|bernoulli|multinomial|poisson)\b")
"""What stands in a function that draws."""
_NAMED = re.compile(r"\b(?:np|numpy)\.random\b|\bfrom\s+numpy\s+import\s[^\n]*\brandom\b")
_LOADING = Words({"scipy", "sklearn", "pandas"})
_IMPORTS_LOADING = re.compile(r"^[ \t]*(?:import|from)[ \t]+(?:scipy\.stats|sklearn|pandas)\b", re.MULTILINE)
"""Libraries that load it themselves."""
_SEEDS = re.compile(r"\w*seed\w*\s*\(|\bset_(?:rng_)?state\s*\(")
"""How calls are written that may seed a generator."""
_MAKES = "__init__"
_RENEWS = re.compile(r"register_at_fork")
_DRAWS_BETWEEN = re.compile(r"\brandom\s*\.|\brand\w*\s*\(")


class GlobalDraw(Struct, frozen=True):
    """A call in a function of workers that draws from the global generator of a library."""

    function: WorkerFunction
    span: Span
    library: str
    is_in_main: bool
    """Whether the main process surely has such a generator, too, for workers to copy: NumPy makes its own when a
    program first asks for `numpy.random`, or imports a library that does."""


def global_draws(code: WorkerCode, linker: Linker) -> Iterator[GlobalDraw]:
    """The first such draw of each function of workers that may be forked, of which there are several, and which nobody
    seeds."""
    drawing = [each for each in code.functions if each.entered_by is not None and _may_draw(each)]
    if not drawing or not may_be_forked(code, linker) or not run_in_several(code, linker):
        return
    found = [draw for each in drawing if (draw := _first_draw(each, linker)) is not None]
    if found and not _is_seeded(code, linker) and not _is_drawn_between(code):
        is_in_main = _is_in_main(code, [each.function for each in found], linker)
        yield from (replace(each, is_in_main=each.is_in_main or is_in_main) for each in found)


def _may_draw(function: WorkerFunction) -> bool:
    module, span = function.module, function.facts.span
    return module.first_party and _WORDS.search(module.code, span.start, span.end) is not None


def _first_draw(function: WorkerFunction, linker: Linker) -> GlobalDraw | None:
    for event in function.facts.events:
        if not isinstance(event, Called) or only_waits(event.span, function):
            continue
        for traced in linker.evaluate(event.call.function, function.frame):
            if isinstance(traced.value, ExternalValue) and _DRAWS.fullmatch(traced.value.path):
                library = _LIBRARIES[traced.value.path.partition(".")[0]]
                return GlobalDraw(function, event.call.span, library, library != "NumPy")
    return None


def _is_seeded(code: WorkerCode, linker: Linker) -> bool:
    """Whether workers may seed the generators: by what they run or begin with, by an earlier task of the same pool, or
    because the program has it done wherever something is forked."""
    running = (*code.functions, *initializers(code, linker), *_run_before(code, linker))
    bodies = [(each.module, each.facts) for each in running]
    bodies += (body for each in running for body in _constructors_behind(each, linker))
    if any(_SEEDS.search(module.code, facts.header.end, facts.span.end) for module, facts in bodies):
        return True
    if code.boundary is not None and any(_begins_unseen(each, linker) for each in linker.makers_of(code.boundary)):
        return True
    modules = (*(site.module for site in code.way), *(each.module for each in running))
    return any(module.has(_RENEWS) for module in modules)


def _run_before(code: WorkerCode, linker: Linker) -> Iterator[WorkerFunction]:
    """What earlier tasks of the same pool or executor run that a function gives to all its workers:
    `pool.map(simulate, seeds)` before `pool.map(write, rows)`. The workers go on from what those have left."""
    boundary = code.boundary
    made = {id(each.call) for each in linker.makers_of(boundary)} if boundary is not None else set[int]()
    for other in linker.worker_codes() if made else ():
        task = other.boundary
        if boundary is None or task is None or task.frame.function is not boundary.frame.function:
            continue
        is_earlier = task.site.module is boundary.site.module and task.site.span.end <= boundary.site.span.start
        is_of_all = is_earlier and not (is_of_one_task(task) and loop_around(task.site) is None)
        if is_of_all and made == {id(each.call) for each in linker.makers_of(task)}:
            yield from other.functions


def _constructors_behind(function: WorkerFunction, linker: Linker) -> Iterator[tuple[Module, FunctionFacts]]:
    """The constructors that the one of an object may call which is made in the worker: those of the base classes."""
    if function.facts.name != _MAKES or not function.facts.parameters:
        return
    me = function.frame.bindings.get(function.facts.parameters[0].name)
    for each in linker.classes.mro(me.value) if me is not None and isinstance(me.value, InstanceValue) else ():
        method = each.facts.methods.get(_MAKES) if isinstance(each, ClassValue) else None
        if isinstance(each, ClassValue) and method is not None:
            yield each.module, method


def _is_in_main(code: WorkerCode, drawing: Sequence[WorkerFunction], linker: Linker) -> bool:
    """Whether the main process has loaded `numpy.random` before it starts the workers, as far as is seen: code that no
    worker runs names it, an import loads it, or the main process calls what draws in the workers."""
    running = [(each.module, each.facts.span) for each in code.functions]
    for module in imported_with((site.module for site in code.way), linker):
        if _LOADING.are_in(module.lexicon) and module.has(_IMPORTS_LOADING):
            return True
        for found in _NAMED.finditer(module.code) if module.first_party else ():
            if not any(home is module and span.start <= found.start() < span.end for home, span in running):
                return True
    asker = code.root.site.module.path
    return any(next(calls_by_main(each.facts, code, linker, asker), None) is not None for each in drawing)


def _begins_unseen(maker: BoundaryCall, linker: Linker) -> bool:
    """Whether the workers of a pool begin with what is no function of the program: `initializer=np.random.seed`."""
    values = [traced.value for traced in maker.value(INITIALIZER, linker.evaluator)]
    return not all(isinstance(each, FunctionValue | ConstantValue) for each in values)


def _is_drawn_between(code: WorkerCode) -> bool:
    """Whether the main process may draw, too, between the starts of two workers."""
    for site in code.way if code.boundary is not None and code.boundary.spec.kind == "process" else ():
        loop = loop_around(site)
        if loop is not None and _DRAWS_BETWEEN.search(site.module.code, loop.start, loop.end):
            return True
    return False
