"""Whether code asks if it runs in a worker before it does something: by `get_worker_info()`, or what its process is;
there, by a variable or attribute that keeps the answer, or by a function that asks."""

from __future__ import annotations

import ast
import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.control_flow.claims import Claim, claims
from lintpickle.control_flow.steps import Condition
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Call, ending_name, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, FunctionValue
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_ASKS = r"\b(?:current_process|parent_process)\(\)"
_FORMS = {True: re.compile(rf"{_ASKS}|\bget_worker_info\(\)"), False: re.compile(_ASKS)}
"""What stands in code that asks so: in workers of a loader, or of others, in which there is no such information
(measured with torch 2.13)."""
_LOADER = "dataloader"
_FUNCTIONS = 2
"""How many functions are looked at, each of which calls the next, until one asks."""


def is_chosen_by_process(function: WorkerFunction, made: BoundaryCall, code: WorkerCode, linker: Linker) -> bool:
    """Whether workers make a call in a function, or come there, only as code chooses that has asked. (A test which
    itself says that this is a worker chooses nothing else.)"""
    asked = _Asked(code, linker)
    frame, call, called = function.frame, made.call, ""
    while True:
        named = _places_naming(called, call, frame)
        if asked.is_before(call.span, frame) or (named and all(asked.is_before(each, frame) for each in named)):
            return True
        if frame.called_by is None:
            return False
        called = frame.function.name
        frame, call = frame.called_by


def _places_naming(called: str, call: Call, frame: Frame) -> list[Span]:
    """Where a function names what it calls by another name: `ways = [self.in_threads]; ways[0]()`."""
    if not called or ending_name(without_narrowing(call.function)) == called:
        return []
    form, own = re.compile(rf"\b{re.escape(called)}\b"), frame.function
    return [Span(*found.span()) for found in form.finditer(frame.module.code, own.header.end, own.span.end)]


class _Asked:
    """Tells the tests that ask so, of what the workers of one boundary run."""

    def __init__(self, code: WorkerCode, linker: Linker) -> None:
        self._code = code
        self._linker = linker
        self._form = _FORMS[code.boundary is not None and code.boundary.spec.kind == _LOADER]

    def is_before(self, place: Span, frame: Frame) -> bool:
        """Whether such a test is on the way to a place of a function."""
        return any(self._asks(each, frame) for each in self._linker.conditions.tests_before(place, frame))

    def _asks(self, condition: Condition, frame: Frame) -> bool:
        test, holds = condition
        nodes = list(within(test))
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        kept = (value for name, value in frame.function.variables.items() if name in names)
        own = [frame.paths.span(test), *(each.span for value in kept for each in options_of(value))]
        if any(self._stands_in(each, frame) for each in own):
            return not any(map(_says_worker, claims(test, holds)))
        attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        return any(self._is_asked_at(each, frame) for each in own) or any(
            self._is_asked_at(event.value.span, function.frame)
            for function in self._code.functions
            for event in function.facts.events
            if isinstance(event, Store) and event.attribute in attributes and event.value is not None
        )

    def _stands_in(self, span: Span, frame: Frame) -> bool:
        return self._form.search(frame.module.code, span.start, span.end) is not None

    def _is_asked_at(self, span: Span, frame: Frame, called: int = 0) -> bool:
        """Whether what stands somewhere asks, or a function that is called there."""
        if self._stands_in(span, frame):
            return True
        calls = (event.call for event in frame.function.events if isinstance(event, Called))
        return called < _FUNCTIONS and any(
            self._is_asked_at(traced.value.facts.span, inner, called + 1)
            for call in calls
            if span.contains(call.span)
            for traced in self._linker.evaluate(call.function, frame)
            if isinstance(traced.value, FunctionValue)
            and (inner := self._linker.evaluator.enter(traced.value, call, frame)) is not None
        )


def _says_worker(claim: Claim) -> bool:
    """Whether a test says that there is what only workers have: `info is not None`."""
    return not isinstance(claim.test, ast.BoolOp) and not claim.allows(None)
