"""What workers draw from a counter of a module, and send back: each process has a counter of its own, so that several
give the same numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.main_state.global_setters import setters_of
from lintpickle.analyses.random_numbers.class_counters import is_key, iterator_of_class, keeper_named, maker_of
from lintpickle.analyses.workers.several_workers import WORKER_COUNTS
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Name, chained
from lintpickle.interpreter.abstract_values import (
    ConstantValue,
    ContainerValue,
    Frame,
    ProductValue,
    Site,
)
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import results_sent
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_KINDS = frozenset({"pool", "executor"})
_COUNTER_NAME = r"(?:type\(\s*\w+\s*\)\.)?(?:\w+\.)*\w+"
_DRAWN = re.compile(rf"\bnext\(\s*({_COUNTER_NAME})\s*\)|\b({_COUNTER_NAME})\.__next__\(\s*\)")
_TEXT = re.compile(r"(?P<quote>[\"'])(?:(?!(?P=quote))[^\\]|\\.)*(?P=quote)")
_NAMES = re.compile(r"[^\W\d]\w*")
_SHOWING = frozenset({"str", "int", "hex", "repr", "format", "zfill", "return", "f"})
"""Words around a number that is drawn which add nothing to it."""
_TELLS_APART = re.compile(r"\b(?:getpid|current_process|parent_process|uuid\w*|_identity|gethostname|random|secrets)\b")
_COUNTER = "itertools.count"
_IMPORTED, _DRAWING = Words({"itertools"}), Words({"next", "__next__"})


class RepeatedDraw(Struct, frozen=True):
    """What a function of workers sends back that is drawn from the counter of that name, and where it is drawn."""

    function: WorkerFunction
    counter: str
    place: Site
    crossing: Crossing


def repeated_draws(code: WorkerCode, linker: Linker) -> Iterator[RepeatedDraw]:
    """The numbers and names that several workers give, each counter once."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.frame.module.first_party:
        return
    asker = boundary.frame.module.path
    is_any_imported = linker.first_party.is_anywhere(_IMPORTED, asker)
    if not is_any_imported or not linker.first_party.is_anywhere(_DRAWING, asker, _DRAWN):
        return
    told = set[tuple[str, str]]()
    for function, crossing in results_sent(code, linker):
        drawn = _drawn(crossing, linker)
        if (
            drawn is None
            or (drawn[1].module.path, drawn[0]) in told
            or _are_told_apart(function.facts, function.module)
        ):
            continue
        if _has_one_worker(boundary, linker):
            return
        told.add((drawn[1].module.path, drawn[0]))
        yield RepeatedDraw(function, *drawn, crossing)


def _drawn(crossing: Crossing, linker: Linker) -> tuple[str, Site] | None:
    """The counter from which a value is drawn, and where."""
    sites = (crossing.site, *(hop.site for hop in crossing.hops[-1:]))  # It is stored or returned there.
    return next((found for site in sites if (found := _drawn_at(site, crossing, linker)) is not None), None)


def _drawn_at(site: Site, crossing: Crossing, linker: Linker) -> tuple[str, Site] | None:
    """The same for an expression that is a number of a counter, with nothing but constants around it."""
    module, span = site.module, site.span
    text = module.code[span.start : span.end] if module.first_party else ""
    found = _DRAWN.search(text)
    rest = _NAMES.findall(_TEXT.sub(_inserted, text[: found.start()] + " " + text[found.end() :])) if found else ()
    if found is None or not _SHOWING.issuperset(rest):
        return None
    counter = found[1] or found[2]
    place = Span(span.start + found.start(), span.start + found.end())
    function = _around(place, counter, module)
    if function is None or _are_told_apart(function, module):
        return None
    owner, _, name = counter.rpartition(".")
    frame = Frame(module, function)
    of_class = iterator_of_class(owner, name, frame, linker) if owner else None
    if of_class is not None:
        is_one = maker_of(of_class) == _COUNTER and is_key(crossing.held, module.path, linker)
        return (counter, Site(module, place)) if is_one else None
    home = _home(counter, place, frame, linker)
    is_set_anew = home is None or any(True for _ in setters_of(name, home))
    return None if is_set_anew else (counter, Site(module, place))


def _inserted(text: re.Match[str]) -> str:
    """What an f-string puts in."""
    return " ".join(re.findall(r"\{([^{}:!]*)(?:![rsa])?(?::[^{}]*)?\}", text[0]))


def _around(place: Span, counter: str, module: Module) -> FunctionFacts | None:
    """The function in which a place is, if a counter has there a name of the module, or is of the method's class."""
    inside = functions_of(module, _DRAWN, lambda facts: facts.span.start <= place.start < facts.span.end)
    functions = [facts for facts in inside if not facts.is_module_body]
    innermost = max(functions, key=lambda facts: facts.span.start, default=None)
    if innermost is None:
        return None
    owner = counter.rpartition(".")[0]
    is_of_module = counter.partition(".")[0] in innermost.reads
    return innermost if is_of_module or keeper_named(owner, innermost) != owner else None


def _home(counter: str, place: Span, frame: Frame, linker: Linker) -> Module | None:
    """The module whose import makes a counter, by its name in a function."""
    first, *others = counter.split(".")
    values = [traced.value for traced in linker.evaluate(chained(Name(place, first), others, place), frame)]
    made = [each for each in values if isinstance(each, ProductValue)]
    if len(made) != 1 or not all(isinstance(each, ProductValue | ContainerValue) for each in values):
        return None
    match made[0]:
        case ProductValue(path=path, frame=Frame(module=module, function=function)) if path == _COUNTER:
            return module if function.is_module_body else None
        case _:
            return None


def _are_told_apart(function: FunctionFacts, module: Module) -> bool:
    """Whether a function has something at hand in which processes differ."""
    return _TELLS_APART.search(module.code, function.span.start, function.span.end) is not None


def _has_one_worker(boundary: BoundaryCall, linker: Linker) -> bool:
    for maker in (boundary, *linker.makers_of(boundary)):
        for name in WORKER_COUNTS:
            values = [traced.value for traced in maker.value(name, linker.evaluator)]
            if any(isinstance(each, ConstantValue) and each.value == 1 for each in values):
                return True
    return False
