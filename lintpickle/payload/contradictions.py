"""Contradictions: a value is made under one condition, and shipped under another one that is never true together with
it, though the two may stand in different functions (`Event = threading.Event if self.threads else mp.Event`)."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from lintpickle.catalog import BoundarySpec
from lintpickle.control_flow.claims import Claim, claims, contradict
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Call, Expr, Name, Parameter, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
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
from lintpickle.interpreter.pickle_time import PickleTime
from lintpickle.limits import PASSED_FLAGS
from lintpickle.parsing.syntax import BrokenSyntax, parse_expression

_NOWHERE = Span(0, 0)


class Contradictions:
    """Finds them for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: tuple[PickleTime, tuple[Claim, ...]] | None = None

    def is_never_shipped(
        self,
        value: AbstractValue,
        site: Site,
        held: tuple[Frame, Site] | None,
        spec: BoundarySpec,
        pickling: PickleTime,
    ) -> bool:
        """Whether a value that is made at a place, and stored at another one (`held`), is not there whenever a boundary
        ships something."""
        shipping = self._claims_of(spec, pickling)
        if not shipping:
            return False
        making = self._of_making(value, site, held)
        return any(contradict(one, other) for one in making for other in shipping)

    def is_chosen_apart(self, value: AbstractValue, site: Site, spec: BoundarySpec, pickling: PickleTime) -> bool:
        """Whether one call of a function gave both a value and what is called at the boundary, and that is chosen there
        in other branches than those in which the value is made (`queue, executor = thread_parts() if … else …`)."""
        if not isinstance(value, (ProductValue, InstanceValue, FunctionValue, GeneratorValue)):
            return False
        home, caller = value.frame, pickling.frame
        if home is None or home.function is caller.function:
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
        yield from self._of_arms(call, frame, lambda path: boundary(path) == spec)
        code = frame.module.code[call.span.start : call.span.end]
        workers = _keyword(code, spec.workers) if spec.workers is not None else None
        for claim in claims(workers, True) if workers is not None else ():
            yield from self._of_root(claim, frame)

    def _of_making(self, value: AbstractValue, site: Site, held: tuple[Frame, Site] | None) -> Iterator[Claim]:
        match value:
            case ProductValue(path=path, call=Call() as call, frame=Frame() as frame):
                yield from self._at(site, frame)
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
            yield from self._at(held[1], held[0])
            yield from self._at(site, held[0])

    def _of_arms(self, call: Call, frame: Frame, is_called: Callable[[str], bool]) -> Iterator[Claim]:
        """What is true where one of several functions is called, by the branch in which that is chosen."""
        options = options_of(call.function)
        for option in options if len(options) > 1 else ():
            values = [traced.value for traced in self._evaluator.evaluate(option, frame)]
            if any(isinstance(value, ExternalValue) and is_called(value.path) for value in values):
                yield from self._at(Site(frame.module, option.span), frame)

    def _at(self, place: Site, frame: Frame) -> Iterator[Claim]:
        """What is true at a place of a frame's function, of what can be compared with another function's."""
        if Site(frame.module, frame.function.span).contains(place):
            for claim in self._evaluator.conditions.claims_before(place.span, frame):
                yield from self._of_root(claim, frame)

    def _of_root(self, claim: Claim, frame: Frame) -> Iterator[Claim]:
        subject = claim.test
        while isinstance(subject, ast.UnaryOp):
            subject = subject.operand
        if isinstance(subject, ast.Compare):
            if claim.compare is None:
                return
            subject = subject.left
        root = self._root(subject, frame)
        if root is not None:
            yield replace(claim, subject=root)

    def _root(self, subject: ast.expr, frame: Frame) -> str | None:
        """What tells where the value of an expression comes from, the same in all functions; None if that may change
        in between."""
        match subject:
            case ast.Name(id=name):
                return self._root_of_name(name, frame)
            case ast.Attribute(value=ast.Name(id=me), attr=name) if frame.bindings.get(me) is not None:
                abstract = frame.bindings[me].value
                if isinstance(abstract, InstanceValue):
                    return self._root_of_attribute(name, abstract)
        match subject:
            case ast.Attribute(value=base, attr=name):
                owner = self._root(base, frame)
                return f"{owner}.{name}" if owner is not None and not _stores(frame.function, name) else None
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                called = [each.value for each in self._evaluator.evaluate(Name(_NOWHERE, name), frame)]
                return _root_of_call(called, [self._root(argument, frame) for argument in arguments])
            case _:
                return None

    def _root_of_name(self, name: str, frame: Frame, steps: int = 0) -> str | None:
        function = frame.function
        held = function.variables.get(name)
        if function.parameter(name) is None:
            if held is None:
                is_global = bool(frame.module.outline.binding(name)) and name not in function.captures
                return f"{frame.module.path}:{name}" if is_global and not function.is_module_body else None
            return self._root_of_value(held, frame, steps)
        if held is not None or frame.paths.binds(name):
            return None
        attribute = _kept_as(name, function)
        if attribute is not None:
            return f"{id(function)}.{attribute}"
        bound = frame.bindings.get(name)
        if bound is None:
            return f"{id(function)}:{name}"
        if bound.expr is None or bound.frame is None:
            return None
        return self._root_of_value(bound.expr, bound.frame, steps)

    def _root_of_value(self, value: Expr, frame: Frame, steps: int) -> str | None:
        """The same for what a variable holds, or a call passes on: a parameter, or what a function answers that does
        nothing but to read (`use_threads(config)`)."""
        if steps >= PASSED_FLAGS.most:
            self._evaluator.cuts.note(PASSED_FLAGS)
            return None
        match without_narrowing(value):
            case Parameter(name=name, owner=owner) if home := frame.enclosing(owner):
                return self._root_of_name(name, home, steps + 1)
            case Call(function=function, arguments=arguments) if all(not argument.star for argument in arguments):
                roots = [self._root_of_value(argument.value, frame, steps + 1) for argument in arguments]
                called = [traced.value for traced in self._evaluator.evaluate(function, frame)]
                return _root_of_call(called, roots)
            case _:
                return None

    def _root_of_attribute(self, name: str, instance: InstanceValue) -> str | None:
        """Of an attribute that only the constructor stores."""
        found = self._evaluator.classes.find_method(instance, "__init__")
        if found is None or not _stores(found[1], name):
            return None
        for class_ in self._evaluator.classes.mro(instance):
            if isinstance(class_, ClassValue):
                for method in class_.facts.methods.values():
                    if method is not found[1] and _stores(method, name):
                        return None
        return f"{id(found[1])}.{name}"


def _root_of_call(called: list[AbstractValue], roots: list[str | None]) -> str | None:
    """What a call answers, if that only depends on what it is given."""
    match called:
        case [FunctionValue(facts=facts, bound=None)] if not (facts.events or facts.decorators or facts.is_generator):
            given = [root for root in roots if root is not None]
            return f"{id(facts)}({', '.join(given)})" if len(given) == len(roots) else None
        case _:
            return None


def _stores(function: FunctionFacts, attribute: str) -> bool:
    return any(isinstance(event, Store) and event.attribute == attribute for event in function.events)


def _kept_as(name: str, function: FunctionFacts) -> str | None:
    """The attribute in which a constructor keeps a parameter, on every run."""
    if function.name != "__init__":
        return None
    for event in function.events:
        match event:
            case Store(conditional=False, attribute=attribute, value=Parameter(name=kept, owner=owner)):
                if kept == name and owner == function.qualname:
                    return attribute
            case _:
                pass
    return None


def _keyword(code: str, name: str) -> ast.expr | None:
    """What a call is given by that keyword."""
    try:
        call = parse_expression(code)
    except BrokenSyntax:
        return None
    keywords = call.keywords if isinstance(call, ast.Call) else []
    return next((each.value for each in keywords if each.arg == name), None)
