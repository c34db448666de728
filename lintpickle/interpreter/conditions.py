"""Conditions on the way to a place in a function: whether a run of it gets there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from lintpickle.control_flow.claims import Claim, claims, is_of_several, tests_in
from lintpickle.control_flow.settled_options import settled_as
from lintpickle.control_flow.steps import Condition
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Store
from lintpickle.facts.values import Expr
from lintpickle.interpreter.abstract_values import AbstractValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.call_claims import answer_by_call
from lintpickle.interpreter.changed_later import AttributeChanges
from lintpickle.interpreter.decided_tests import DecidedTests
from lintpickle.interpreter.hurdles import Hurdle, hurdles_of, is_root
from lintpickle.interpreter.option_defaults import attribute_default, is_negated, is_off, is_on, options_left_out
from lintpickle.interpreter.process_numbers import is_same_process
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.parsing.main_guard import holds_in_workers, returns_main_guard
from lintpickle.parsing.names_read import within

_MAX_KEPT = 2000
"""At how many places the conditions are kept that are on the way: as much as a megabyte of `ast`."""
_NAMES_OF_MAIN = ("__main__", "MainProcess", "__mp_main__")
"""What the script and its process are called while no worker imports it, or else."""
_NESTED = 3
"""How many nested evaluations a condition counts for that is decided within one: see `limits.NESTING`."""


class Conditions:
    """Decides, for one evaluator, to which places runs of functions get."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._changed = AttributeChanges()
        self._decided = DecidedTests(evaluator, self._changed)
        self._hurdles: dict[tuple[str, int, int], tuple[Hurdle, ...]] = {}
        self._claims: dict[tuple[str, int, int], tuple[Claim, ...]] = {}
        self._asked: dict[tuple[int, int], None] = {}
        self._unknown: dict[tuple[int, int], tuple[ast.expr, Frame, tuple[tuple[int, int], ...]]] = {}
        self._truths: dict[tuple[int, int], tuple[ast.expr, Frame, bool | None]] = {}
        self._reached: dict[tuple[int, int], tuple[Frame, bool | None]] = {}

    def forget(self) -> None:
        """Let go of how tests came out, and of the conditions that were looked at, if they are many."""
        self._decided.forget()
        self._truths.clear()
        self._reached.clear()
        if len(self._hurdles) > _MAX_KEPT:
            self._hurdles.clear()
            self._claims.clear()

    def may_get_to(self, place: Span, frame: Frame) -> bool:
        """Whether a run of the frame's function, with what is bound there, may get to a place in it."""
        return self.reaches(place, frame) is not False

    def reaches(self, place: Span, frame: Frame) -> bool | None:
        """Whether a run of the frame's function surely gets to a place in it (True), or surely does not (False); None
        if that depends on something that is not known.

        Decided are conditions on constants, on what a call binds parameters to, on what constructors store, and on
        variables that hold such. Some are taken to be passed though they are not decided, because the user who reads
        the finding runs the program just so, or it would be of no use: loops have elements; what is counted has more
        than one (`if len(items) < 2: …`); a check that fails
        (`raise`, `assert`, `sys.exit()`) does not; options of the command line (`if args.distributed:`) are there to be
        used; the machine and the process are those that the branch is for (`torch.cuda.is_available()`, `rank == 0`, a
        main guard). All else (an attribute, a parameter of callers that are not known, an exception, a case) is not.
        """
        key = (id(frame), place.start)
        if key in self._asked or not frame.paths.has_condition_before(place):
            return True if key not in self._asked else None
        if key in self._reached:
            return self._reached[key][1]
        self._asked[key] = None
        try:
            answers = {self._passes(hurdle, frame) for hurdle in self._hurdles_before(place, frame)}
        finally:
            self._answered(key)
        answer = False if False in answers else None if None in answers else True
        if answer is False or not self._asked:  # as `_truth`: within others, what is not known may be found later
            self._reached[key] = (frame, answer)
        return answer

    def is_done_anyway(self, call: Span, frame: Frame) -> bool:
        """Whether a call of which it is not known whether it is reached is made alike in each other branch of the
        conditions that are not decided: one of these calls is made, whatever they answer."""
        key = (id(frame), call.start)
        if key in self._asked:
            return False
        self._asked[key] = None
        try:
            return all(
                answers <= {True} or (False not in answers and frame.paths.is_done_otherwise(step, call.start))
                for step in frame.paths.steps(call.start)
                for answers in ({self._passes(hurdle, frame) for hurdle in hurdles_of(step)},)
            )
        finally:
            self._answered(key)

    def answer(self, test: ast.expr, frame: Frame) -> bool | None:
        """How a test in the frame's function comes out, with what is bound there; None if that is not known."""
        key = (id(frame), id(test))
        if key in self._asked:
            return None
        self._asked[key] = None
        try:
            return self._truth(test, frame)
        finally:
            self._answered(key)

    def types_denying(self, value: AbstractValue, written: str, place: Span, frame: Frame) -> Iterator[int]:
        """Where tests of the type of an attribute, as it is written, end that lead to a place, and that say that it
        is something else than a value."""
        for test, holds in self.tests_before(place, frame):
            for part, answer in tests_in(test, holds):
                match part:
                    case ast.Call(func=ast.Name(id="isinstance"), args=[asked, types]) if ast.unparse(asked) == written:
                        if self._decided.is_of_type(value, types, frame) is (not answer):
                            yield frame.paths.offset((part.end_lineno or part.lineno, part.end_col_offset or 0))
                    case _:
                        pass

    def _answered(self, key: tuple[int, int]) -> None:
        """Note that a question is no longer asked: with the first one, what was unknown because of it is forgotten."""
        del self._asked[key]
        if not self._asked:
            self._unknown.clear()

    def replaces(self, event: Store, frame: Frame) -> bool:
        """Whether a store takes the place of whatever stood there before: it is done on every run, or whenever
        something is there (`if args.config: args.config = args.config.name`)."""
        if not event.conditional:
            return True
        target = frame.module.code[event.span.start : event.span.end].partition("=")[0].strip()
        tests = self.tests_before(event.span, frame) if target.endswith(f".{event.attribute}") else ()
        return bool(tests) and all(_is_there(target, test, holds) for test, holds in tests)

    def asks_for_main(self, place: Span, frame: Frame) -> bool:
        """Whether it depends on a comparison with "__main__" or "MainProcess" that a place is got to, on what the
        module has kept of one (`self.active = name == "__main__"`), or on a function that returns a main guard: workers
        have other names."""
        return any(self._keeps_workers_out(test, holds, frame) for test, holds in self.tests_before(place, frame))

    def may_ask_for_main(self, place: Span, frame: Frame) -> bool:
        """Whether it depends on such a comparison or on something else that a place is got to, and it is not known
        whether that is so in workers (`if debug or __name__ == "__main__"`)."""
        return any(
            holds and not holds_in_workers(test) and self._mentions_main(test, frame)
            for test, holds in self.tests_before(place, frame)
        )

    def _keeps_workers_out(self, test: ast.expr, holds: bool, frame: Frame) -> bool:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self._keeps_workers_out(inner, not holds, frame)
            case ast.BoolOp(op=ast.Or(), values=values) if holds:
                return all(self._keeps_workers_out(each, holds, frame) for each in values)
            case _:
                return not (holds and holds_in_workers(test)) and self._mentions_main(test, frame)

    def _mentions_main(self, test: ast.expr, frame: Frame) -> bool:
        return any(self._is_or_returns_main(node, frame) for node in ast.walk(test))

    def _is_or_returns_main(self, node: ast.AST, frame: Frame) -> bool:
        match node:
            case ast.Constant(value=value):
                return value in _NAMES_OF_MAIN
            case ast.Name(id=name) | ast.Attribute(attr=name) if isinstance(node.ctx, ast.Load):
                return frame.module.has(_kept_of_main(name))
            case ast.Call(func=ast.Name() | ast.Attribute() as function, args=[], keywords=[]):
                called = self._decided.functions_at(function, frame)
                return bool(called) and all(returns_main_guard(_text_of(each)) for each in called)
            case _:
                return False

    def choose(self, place: Span, frame: Frame) -> bool:
        """Whether one and the same thing is compared with several others to choose what is done at a place, or
        something else (`if mode == "sync": … elif mode == "async": …`)."""
        compared = [
            (left, holds)
            for test, holds in self.tests_before(place, frame)
            if (left := _compared_with_others(test)) is not None
        ]
        if any((left, not holds) in compared for left, holds in compared):
            return True
        nodes = (step.node for step in frame.paths.steps(place.start) if step.arm == 0) if compared else ()
        return any(isinstance(node, ast.If) and _goes_on_comparing(node) for node in nodes)

    def needs_more_than_defaults(self, place: Span, frame: Frame) -> bool:
        """Whether a condition on the way to a place is about options that the call leaves out, which all are off by
        default (None, False, 0 or empty)."""
        off = {name for name in options_left_out(frame) if not is_on(frame, name)}
        for test, holds in self.tests_before(place, frame) if off else ():
            asked = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
            asked = {name for name in asked if frame.function.parameter(name) is not None}
            if holds and asked and asked <= off and not is_negated(test):
                return True
        return False

    def is_behind_option(self, place: Span, frame: Frame) -> bool:
        """Whether a condition on the way to a place asks for options of the function, or of the class whose method it
        is, that are all off by default (None, False, 0 or empty), while nothing is known of what callers pass."""
        return any(
            holds and not is_negated(test) and bool(asked := self._asked_of(test, frame)) and all(map(is_off, asked))
            for test, holds in self.tests_before(place, frame)
        )

    def _asked_of(self, test: ast.expr, frame: Frame) -> list[Expr | None]:
        """The defaults of all that a test reads: parameters that the frame leaves open, and attributes of the object
        that the constructor stores from such, or that only stand in the body of the class."""
        roots = [node for node in within(test) if isinstance(node, (ast.Name, ast.Attribute)) and is_root(node, test)]
        return [self._default_of(node, frame) for node in roots]

    def _default_of(self, node: ast.expr, frame: Frame) -> Expr | None:
        """The default of an option; None if it is none, or something has been passed."""
        match node:
            case ast.Name(id=name):
                parameter = frame.function.parameter(name) if name not in frame.bindings else None
                return parameter.default if parameter is not None else None
            case ast.Attribute(value=ast.Name(id=me), attr=name):
                bound = frame.bindings.get(me)
                abstract = bound.value if bound is not None else None
                if not isinstance(abstract, InstanceValue) or self._changed.is_replaced(name, abstract.class_):
                    return None
                return attribute_default(name, abstract.class_.facts)
            case _:
                return None

    def tests_before(self, place: Span, frame: Frame) -> tuple[Condition, ...]:
        """The tests on the way to a place in the frame's function, each with its answer there."""
        if not frame.paths.has_condition_before(place):
            return ()
        hurdles = self._hurdles_before(place, frame)
        return tuple((hurdle.test, hurdle.holds) for hurdle in hurdles if hurdle.test is not None)

    def claims_before(self, place: Span, frame: Frame) -> tuple[Claim, ...]:
        """What these tests say at the place."""
        if not frame.paths.has_condition_before(place):
            return ()
        key = _place_of(place, frame)
        if key not in self._claims:
            tests = self.tests_before(place, frame)
            self._claims[key] = tuple(claim for test, holds in tests for claim in claims(test, holds))
        return self._claims[key]

    def _hurdles_before(self, place: Span, frame: Frame) -> tuple[Hurdle, ...]:
        key = _place_of(place, frame)
        if key not in self._hurdles:
            self._hurdles[key] = tuple(h for step in frame.paths.steps(place.start) for h in hurdles_of(step))
        return self._hurdles[key]

    def _passes(self, hurdle: Hurdle, frame: Frame) -> bool | None:
        if hurdle.test is None:
            return None
        truth = self._truth(hurdle.test, frame)
        if truth is not None:
            return truth is hurdle.holds
        return True if hurdle.usual or self._has_several(hurdle.test, hurdle.holds, frame) else None

    def _has_several(self, test: ast.expr, holds: bool, frame: Frame) -> bool:
        """Whether a test that is not decided comes out so where what is counted has more than one element."""
        for part, answer in tests_in(test, holds):
            truth = self._truth(part, frame)
            if truth is not answer if truth is not None else not is_of_several(part, answer):
                return False
        return True

    def _truth(self, test: ast.expr, frame: Frame) -> bool | None:
        """How a test comes out. It stands before all places of its branch, and is decided once; again only if that was
        not known while other conditions were being decided, when others are."""
        key = (id(test), id(frame))
        known = self._truths.get(key)
        if known is not None:
            return known[2]
        around = tuple(self._asked)[:-1]
        if key in self._unknown and self._unknown[key][2] == around:
            return None
        self._evaluator.nesting += _NESTED
        try:
            truth = self._decided.truth(test, frame)
        finally:
            self._evaluator.nesting -= _NESTED
        if truth is None:
            truth = answer_by_call(test, frame, self.claims_before)
        if truth is None:
            truth = is_same_process(test, frame)
        if truth is None:
            truth = settled_as(test, frame.paths.tree)
        if truth is not None or len(self._asked) == 1:
            self._truths[key] = (test, frame, truth)
        else:
            self._unknown[key] = (test, frame, around)
        return truth


def _text_of(function: FunctionValue) -> str:
    return function.module.code[function.facts.span.start : function.facts.span.end]


def _place_of(place: Span, frame: Frame) -> tuple[str, int, int]:
    """What tells a place of a function from all others."""
    return frame.module.path, frame.function.span.start, place.start


@lru_cache(maxsize=256)
def _kept_of_main(name: str) -> re.Pattern[str]:
    """How a variable or attribute is stored that tells the main process from others."""
    return re.compile(rf"\b{re.escape(name)}\s*(?::[^=\n]+)?=(?!=)[^\n]*['\"](?:{'|'.join(_NAMES_OF_MAIN)})['\"]")


def _compared_with_others(test: ast.expr) -> str | None:
    """What a test compares with one thing of several that it may be, as it is written."""
    is_so = isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.Is))
    return ast.unparse(test.left) if is_so and isinstance(test, ast.Compare) else None


def _goes_on_comparing(condition: ast.If) -> bool:
    """Whether its `elif` compares the same thing with another one."""
    match condition.orelse:
        case [ast.If(test=test)]:
            left = _compared_with_others(condition.test)
            return left is not None and left == _compared_with_others(test)
        case _:
            return False


def _is_there(target: str, test: ast.expr, holds: bool) -> bool:
    """Whether a test comes out so whenever a target, as it is written, holds anything that is true."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_there(target, operand, not holds)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as compared], comparators=[ast.Constant(value=None)]):
            return holds is isinstance(compared, ast.IsNot) and ast.unparse(left) == target
        case ast.Attribute():
            return holds and ast.unparse(test) == target
        case _:
            return False
