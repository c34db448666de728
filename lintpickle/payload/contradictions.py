"""Contradictions: a value is made under one condition, and shipped under another one that is never true together with
it, though the two may stand in different functions (`Event = threading.Event if self.threads else mp.Event`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lintpickle.catalog import BoundarySpec
from lintpickle.control_flow.claims import Claim, claims, contradict
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Attribute, Call, Expr, options_of
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ConstantValue,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    ProductValue,
    Site,
)
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.frames import passed_first
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.partials import without_partials
from lintpickle.interpreter.pickle_time import PickleTime
from lintpickle.payload.claim_roots import ClaimRoots
from lintpickle.payload.passed_claims import claims_passed

_MAKES = "__init__"


class Contradictions:
    """Finds them for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._roots = ClaimRoots(evaluator)
        self._known: tuple[PickleTime, tuple[Claim, ...]] | None = None

    def is_never_shipped(
        self,
        value: AbstractValue,
        site: Site,
        held: Held | None,
        spec: BoundarySpec,
        pickling: PickleTime,
    ) -> bool:
        """Whether a value that is made at a place, and that an attribute may hold, is not there whenever a boundary
        ships something."""
        shipping = self._claims_of(spec, pickling)
        if not shipping:
            return False
        making = self._of_making(value, site, held)
        return any(contradict(one, other) for one in making for other in shipping)

    def is_never_reached(self, place: Span, frame: Frame, spec: BoundarySpec, pickling: PickleTime) -> bool:
        """Whether what runs in the workers of a boundary never gets to a place of a function: what is asked before has
        another answer wherever the boundary starts them."""
        shipping = self._claims_of(spec, pickling)
        making = self._at(Site(frame.module, place), frame) if shipping else ()
        return any(contradict(one, other) for one in making for other in shipping)

    def is_chosen_apart(self, value: AbstractValue, site: Site, spec: BoundarySpec, pickling: PickleTime) -> bool:
        """Whether one call of a function gave both a value and what is called at the boundary, and that is chosen there
        in other branches than those in which the value is made (`queue, executor = thread_parts() if … else …`)."""
        if not isinstance(value, (ProductValue, InstanceValue, FunctionValue, GeneratorValue)):
            return False
        home, caller = value.frame, pickling.frame
        if home is None:
            return False
        if self._is_runner_chosen_apart(home, site, spec, pickling):
            return True
        if home.function is caller.function:
            return False
        chosen = [
            traced.site
            for traced in self._evaluator.evaluate(pickling.call.function, caller)
            if isinstance(traced.value, ExternalValue) and self._evaluator.catalog.boundary(traced.value.path) == spec
        ]
        body = Site(home.module, home.function.span)
        if not chosen or not body.contains(site) or not all(map(body.contains, chosen)):
            return False
        code, span = caller.module.code, caller.function.span
        calls = re.findall(rf"\b{re.escape(home.function.name)}\s*\(", code[span.start : span.end])
        return len(calls) == 1 and all(
            home.paths.exclude_each_other(each.span.start, site.span.start) for each in chosen
        )

    def _is_runner_chosen_apart(self, home: Frame, site: Site, spec: BoundarySpec, pickling: PickleTime) -> bool:
        """Whether the pool or executor whose method is called is made, or its class chosen, in other branches of a run
        than those in which a value is made (`if …: Runner, lock = ThreadPoolExecutor, Lock()`)."""
        made, body = self._runner(spec, pickling), Site(home.module, home.function.span)
        if made is None or made.call is None or made.frame is None or not body.contains(site):
            return False
        is_of_one_object = made.frame.function is home.function and home.function.name == _MAKES
        if made.frame is not home and not is_of_one_object:
            return False
        places = [each.span for each in self._arms(made.call, home, lambda path: path == made.path)] or [made.call.span]
        return all(home.paths.exclude_each_other(place.start, site.span.start) for place in places)

    def is_made_without_workers(self, site: Site, spec: BoundarySpec, pickling: PickleTime) -> bool:
        """Whether a value is made in a branch of which the number of workers that goes with it is 0, though other
        branches give others (`if debug: workers, collate = 0, (lambda b: b)`)."""
        given = pickling.call.keyword(spec.workers) if spec.workers is not None else None
        passed = passed_first(Bound(expr=given, frame=pickling.frame)) if given is not None else None
        if passed is None or passed.expr is None or passed.frame is None:
            return False
        home = passed.frame
        body, counts = Site(home.module, home.function.span), self._evaluator.evaluate(passed.expr, home)
        if len(counts) < 2 or not body.contains(site):
            return False
        beside = [
            each.value
            for each in counts
            if not body.contains(each.site) or not home.paths.exclude_each_other(each.site.span.start, site.span.start)
        ]
        return bool(beside) and all(isinstance(each, ConstantValue) and each.value in (0, None) for each in beside)

    def _claims_of(self, spec: BoundarySpec, pickling: PickleTime) -> tuple[Claim, ...]:
        """What is true when a boundary ships something."""
        known = self._known
        if known is None or known[0] is not pickling:
            known = self._known = (pickling, tuple(self._of_shipping(spec, pickling)))
        return known[1]

    def _of_shipping(self, spec: BoundarySpec, pickling: PickleTime) -> Iterator[Claim]:
        call, frame, boundary = pickling.call, pickling.frame, self._evaluator.catalog.boundary
        yield from self._at(Site(frame.module, call.span), frame)
        before = self._evaluator.conditions.claims_before(call.span, frame)
        yield from claims_passed(before, spec, pickling, self._evaluator)
        yield from self._of_arms(call, frame, lambda path: boundary(path) == spec)
        yield from self._of_choice(call.function, frame, lambda path: boundary(path) == spec)
        made = self._runner(spec, pickling)
        if made is not None and made.call is not None and made.frame is not None:
            yield from self._at(Site(made.frame.module, made.call.span), made.frame)
            yield from self._of_arms(made.call, made.frame, lambda path: path == made.path)
        workers = frame.module.keyword_written(call.span, spec.workers) if spec.workers is not None else None
        for claim in claims(workers, True) if workers is not None else ():
            yield from self._roots.of_claim(claim, frame)

    def _of_making(self, value: AbstractValue, site: Site, held: Held | None) -> Iterator[Claim]:
        match value:
            case ProductValue(path=path, call=Call() as call, frame=Frame() as frame):
                yield from self._at(site, frame)
                yield from self._at(Site(frame.module, call.span), frame)
                yield from self._of_arms(call, frame, lambda called: called == path)
            case (
                InstanceValue(frame=Frame() as frame)
                | FunctionValue(frame=Frame() as frame)
                | GeneratorValue(frame=Frame() as frame)
                | ExternalResult(frame=frame)
            ):
                yield from self._at(site, frame)
            case _:
                pass
        if held is not None:
            yield from self._at(site, held.frame)
            for frame, place in held.way:
                yield from self._at(Site(frame.module, place), frame)

    def _of_arms(self, call: Call, frame: Frame, is_called: Callable[[str], bool]) -> Iterator[Claim]:
        """What is true where one of several functions is called, by the branch in which that is chosen."""
        for option in self._arms(call, frame, is_called):
            yield from self._at(Site(frame.module, option.span), frame)

    def _arms(self, call: Call, frame: Frame, is_called: Callable[[str], bool]) -> Iterator[Expr]:
        """Of several functions that a call may be of, those that are called, also by partial objects."""
        options = options_of(call.function)
        for option in options if len(options) > 1 else ():
            found = without_partials(self._evaluator.evaluate(option, frame), self._evaluator)
            values = [traced.value for traced in found]
            if any(isinstance(value, ExternalValue) and is_called(value.path) for value in values):
                yield option

    def _runner(self, spec: BoundarySpec, pickling: PickleTime) -> ProductValue | None:
        """The pool or executor whose method ships something, if that is one alone of what the object may be."""
        match pickling.call.function:
            case Attribute(base=base, name=name):
                found = {
                    id(each.value.call): each.value
                    for each in self._evaluator.evaluate(base, pickling.frame)
                    if isinstance(each.value, ProductValue)
                    and self._evaluator.catalog.boundary_method(each.value.product, name) == spec
                }
                return next(iter(found.values())) if len(found) == 1 else None
            case _:
                return None

    def _of_choice(self, chosen: Expr, frame: Frame, is_called: Callable[[str], bool]) -> Iterator[Claim]:
        """What is true where a function gives what is called: `process_class()(target=work)`."""
        functions = self._evaluator.evaluate(chosen.function, frame) if isinstance(chosen, Call) else ()
        match [each.value for each in functions]:
            case [FunctionValue() as function] if isinstance(chosen, Call):
                home = self._evaluator.enter(function, chosen, frame)
                if home is None:
                    return
                given = [
                    value
                    for value in home.function.returns
                    for traced in self._evaluator.evaluate(value, home)
                    if isinstance(traced.value, ExternalValue) and is_called(traced.value.path)
                ]
                if len(given) == 1:
                    yield from self._at(Site(home.module, given[0].span), home)
            case _:
                pass

    def _at(self, place: Site, frame: Frame) -> Iterator[Claim]:
        """What is true at a place of a frame's function, of what can be compared with another function's."""
        if Site(frame.module, frame.function.span).contains(place):
            for claim in self._evaluator.conditions.claims_before(place.span, frame):
                yield from self._roots.of_claim(claim, frame)
