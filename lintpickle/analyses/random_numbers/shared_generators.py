"""Random generators that all workers have in one state: each is made before the workers start, and every worker, or
every task, gets a copy of it.

Measured with CPython 3.11 and NumPy 2: a generator at module level that has a seed is the same in all workers under all
start methods, one without a seed in forked ones only; one that is sent is the same in all tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.calls_and_values.given_arguments import is_passed_by
from lintpickle.analyses.random_numbers.drawn_delays import is_length_of_wait
from lintpickle.analyses.workers.several_workers import (
    initializers,
    is_given_each_round,
    is_of_one_task,
    loop_around,
    run_in_several,
)
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr, ending_name
from lintpickle.interpreter.abstract_values import (
    ConstantValue,
    ExternalResult,
    Frame,
    InstanceValue,
    Site,
    TracedValue,
)
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

GENERATORS = frozenset({"numpy.random.Generator", "random.Random"})
"""The catalog's kinds for the results of `default_rng`, `RandomState` and `Random`."""
SEEDS = frozenset({"seed", "setstate", "set_state", "set_random_state", "spawn", "jumped"})
CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "__setstate__"})
_RENEWED = rf"(?:\s*=(?!=)|\.\s*(?:{'|'.join(sorted(SEEDS))}|bit_generator)\b)"
_WORDS = Words({"default_rng", "RandomState", "Random"})
_MAKES = re.compile(r"\b(?:default_rng|RandomState|Random)\s*\(")
_WAITS = re.compile(r"\bsleep\s*\([^\n]*$")
"""What stands in front of a draw that only says how long to wait."""
_RENEWS_FORKED = "register_at_fork"


class SharedDraw(Struct, frozen=True):
    """A draw of a worker's function from such a generator. `is_per_task` says that each task gets its own copy;
    `is_forked` that the copies are the same in forked workers only."""

    function: WorkerFunction
    made: ExternalResult
    span: Span
    is_per_task: bool
    is_forked: bool


def drawn_from(call: Call, frame: Frame, linker: Linker) -> Iterator[tuple[Expr, TracedValue]]:
    """The generators that a call draws from or receives, each with the expression for it."""
    values = [argument.value for argument in call.arguments]
    match call.function:
        case Attribute(base=base, name=name) if name not in SEEDS:
            values.append(base)
        case _:
            pass
    for value in values:
        for traced in linker.evaluate(value, frame):
            if isinstance(traced.value, ExternalResult) and traced.value.path in GENERATORS:
                yield value, traced


def shared_draws(code: WorkerCode, linker: Linker) -> Iterator[SharedDraw]:
    """The first draw from each such generator in workers of which there are several."""
    boundary, told = code.boundary, set[int]()
    asker = code.root.site.module.path
    if boundary is None or not linker.first_party.is_anywhere(_WORDS, asker, _MAKES):
        return
    if not run_in_several(code, linker):
        return
    for function in code.functions:
        for event in function.facts.events if function.entered_by is not None else ():
            found = drawn_from(event.call, function.frame, linker) if isinstance(event, Called) else ()
            for value, traced in found:
                made = traced.value
                assert isinstance(made, ExternalResult)
                if id(made.call) in told or only_waits(event.span, function):
                    continue
                if is_passed_by(event.span, function.frame, linker):
                    continue
                draw = _shared(made, ending_name(value) or "", function, event.span, code, boundary, linker)
                if draw is not None:
                    told.add(id(made.call))
                    yield draw


def only_waits(span: Span, function: WorkerFunction) -> bool:
    """Whether a draw says how long to sleep, or to go round a loop for nothing."""
    module = function.module
    begin = module.code.rfind("\n", 0, span.start) + 1
    return _WAITS.search(module.code, begin, span.start) is not None or is_length_of_wait(span, function)


def _shared(
    made: ExternalResult,
    name: str,
    function: WorkerFunction,
    span: Span,
    code: WorkerCode,
    boundary: BoundaryCall,
    linker: Linker,
) -> SharedDraw | None:
    makings = list(_makings(made, function))
    first = makings[-1][0]
    if any(id(frame.function) in {id(each.facts) for each in code.functions} for frame, _ in makings):
        return None
    sent = _sent(made, boundary, linker)
    if sent is not None:
        is_same = not boundary.is_iterated(sent.role or "") and _is_made_once(made, makings, sent, boundary, linker)
        is_same = is_same and not _is_renewed(name, False, code, linker)
        return SharedDraw(function, made, span, boundary.spec.kind != "process", False) if is_same else None
    block = first.module.outline.block_at(makings[-1][1].span.start)
    names = {name, *(block.names if block is not None else ())} - {""}
    if not first.function.is_module_body or any(_is_renewed(each, True, code, linker) for each in names):
        return None
    is_forked = not _is_seeded(made, linker)
    if is_forked and _RENEWS_FORKED in first.module.code:
        return None
    return SharedDraw(function, made, span, False, is_forked)


def _makings(made: ExternalResult, function: WorkerFunction) -> Iterator[tuple[Frame, Call]]:
    """The call that makes a generator, and the calls by which the program comes there, with their frames; where that is
    a constructor, those that make the object whose method draws."""
    yield from _calls_around(made.frame, made.call)
    if made.frame.function.name not in CONSTRUCTORS or made.frame.called_by is not None:
        return
    parameters = function.facts.parameters
    me = function.frame.bindings.get(parameters[0].name) if parameters else None
    match me.value if me is not None else None:
        case InstanceValue(call=Call() as call, frame=Frame() as frame):
            yield from _calls_around(frame, call)
        case _:
            pass


def _calls_around(frame: Frame, call: Call) -> Iterator[tuple[Frame, Call]]:
    yield frame, call
    while frame.called_by is not None:
        frame, call = frame.called_by
        yield frame, call


def _is_seeded(made: ExternalResult, linker: Linker) -> bool:
    given = [linker.evaluate(argument.value, made.frame) for argument in made.call.arguments]
    return any(
        not (isinstance(traced.value, ConstantValue) and traced.value.value is None)
        for each in given
        for traced in each
    )


def _sent(made: ExternalResult, boundary: BoundaryCall, linker: Linker) -> Crossing | None:
    """How a generator crosses, if it does."""
    found = (each for each in linker.shipped_by(boundary) if isinstance(each.value, ExternalResult))
    return next(
        (each for each in found if isinstance(each.value, ExternalResult) and each.value.call is made.call), None
    )


def _is_made_once(
    made: ExternalResult,
    makings: Sequence[tuple[Frame, Call]],
    sent: Crossing,
    boundary: BoundaryCall,
    linker: Linker,
) -> bool:
    """Whether what holds a generator is the same for all workers or tasks, and the main process draws from it at no
    time between them."""
    if not is_of_one_task(boundary):
        return True
    loop = loop_around(boundary.site)
    if loop is None:
        return False
    places = [Site(frame.module, call.span) for frame, call in makings]
    outer = sent if made.frame.function is not boundary.frame.function else None
    while outer is not None:
        if isinstance(outer.value, InstanceValue) and outer.value.call is not None and outer.value.frame is not None:
            places.append(Site(outer.value.frame.module, outer.value.call.span))
        outer = outer.inside
    if any(map(is_given_each_round, places)):
        return False
    module, frame = boundary.frame.module, boundary.frame
    if any(each.module is module and loop.start <= each.span.start < loop.end for each in places):
        return False
    between = (
        event.call
        for event in frame.function.events
        if isinstance(event, Called) and loop.start <= event.span.start < loop.end and event.call is not boundary.call
    )
    return not any(
        isinstance(traced.value, ExternalResult) and traced.value.call is made.call
        for call in between
        for _, traced in drawn_from(call, frame, linker)
    )


def _is_renewed(name: str, is_global: bool, code: WorkerCode, linker: Linker) -> bool:
    """Whether code of the workers, or of what starts them, may give a generator another state, or bind its name to
    another one."""
    form = re.compile(rf"(?<!\w){re.escape(name)}\b{_RENEWED}")
    attribute = re.compile(rf"\.\s*{re.escape(name)}\b{_RENEWED}")
    seeded = re.compile(rf"(?<!\w){re.escape(name)}\s*\.\s*(?:{'|'.join(sorted(SEEDS))}|bit_generator)\b")
    for each in (*code.functions, *initializers(code, linker)):
        is_bound = not is_global or name in each.facts.globals_declared
        span = each.facts.span
        forms = (form,) if is_bound else (attribute, seeded)
        if any(found.search(each.module.code, span.start, span.end) for found in forms):
            return True
    boundary = code.boundary
    if boundary is None or is_global:
        return False
    span = boundary.frame.function.span
    return attribute.search(boundary.frame.module.code, span.start, span.end) is not None
