"""Branches of conditions, seen on the `ast`: one table for each function, from which questions about its places are
answered without walking through it again."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from lintpickle.control_flow.claims import Claim, claims, contradict
from lintpickle.control_flow.steps import (
    BEHIND,
    SCOPES,
    BranchStep,
    Condition,
    TreePosition,
    behind,
    end_of,
    expression_arms,
    expressions,
    inner_suites,
    is_around,
    start_of,
)
from lintpickle.parsing.names_read import within


class Branches:
    """The branches in the code of one function (or more). Of places outside of the tree, nothing is said."""

    def __init__(self, tree: ast.AST) -> None:
        self._tree = tree
        self._arms: dict[tuple[int, int], BranchStep] = {}
        self._claims: dict[int, tuple[Claim, ...]] = {}
        self._steps: dict[TreePosition, BranchStep | None] = {}
        self._ways: dict[int, tuple[BranchStep, ...]] = {}

    @cached_property
    def marks(self) -> tuple[list[TreePosition], list[ast.stmt], list[BranchStep]]:
        """The statements in file order: where each starts, and the step that leads to it."""
        found: list[tuple[TreePosition, ast.stmt, BranchStep]] = []
        root = BranchStep(None, 0, self._tree, 0, (1 << 31, 0))
        stack = [(suite, root) for suite in _plain_suites(self._tree)]
        while stack:
            suite, step = stack.pop()
            for statement in suite:
                found.append((start_of(statement), statement, step))
                stack += inner_suites(statement, step)
                step = behind(statement, step) if statement is not suite[-1] else step
        found.sort(key=lambda mark: mark[0])
        return [start for start, _, _ in found], [each for _, each, _ in found], [step for _, _, step in found]

    def statement(self, place: TreePosition) -> ast.stmt | None:
        """The statement that starts at a place."""
        starts, statements, _ = self.marks
        index = bisect_right(starts, place) - 1
        return statements[index] if index >= 0 and starts[index] == place else None

    def steps(self, place: TreePosition) -> tuple[BranchStep, ...]:
        """The steps that lead to a place, from the innermost function around it; the outermost first."""
        last = self.step(place)
        if last is None:
            return ()
        if id(last) not in self._ways:
            self._ways[id(last)] = _way_to(last)
        return self._ways[id(last)]

    def step(self, place: TreePosition) -> BranchStep | None:
        """The innermost step to a place; None outside of all statements."""
        if place not in self._steps:
            self._steps[place] = self._step(place)
        return self._steps[place]

    def _step(self, place: TreePosition) -> BranchStep | None:
        starts, statements, steps = self.marks
        index = bisect_right(starts, place) - 1
        if index < 0:
            return None
        statement, step = statements[index], steps[index]
        if place < end_of(statement):
            return self._inside(statement, step, place)
        while step.before is not None and step.end <= place:
            step = step.before
        return step

    def _inside(self, node: ast.AST, step: BranchStep, place: TreePosition) -> BranchStep:
        """The innermost step to a place in the expressions of a statement."""
        while True:
            inner = next((each for each in expressions(node) if is_around(each, place)), None)
            if inner is None:
                return step
            for arm, each, conditions in expression_arms(node):
                if each is inner:
                    key = (id(node), arm)
                    if key not in self._arms:
                        self._arms[key] = BranchStep(
                            step, step.depth + 1, node, arm, end_of(each), step.loop, conditions
                        )
                    step = self._arms[key]
            node = inner

    def conditions_around(self, place: TreePosition) -> tuple[Condition, ...]:
        """The conditions that hold (True) or do not, when the innermost function around a place gets there: those
        of the branches around it, and of branches before it that return, raise or go on with a loop."""
        return tuple(condition for step in self.steps(place) for condition in step.conditions)

    def exclude_each_other(self, first: TreePosition, second: TreePosition) -> bool:
        """Whether no single run of the code can reach both places. Either one is in a branch of a condition, and the
        other in the other branch or after a branch that returns or raises; or they are in branches of conditions that
        contradict each other (`a if fast else b`, and later `if fast:`), and nothing changes the result of the
        condition in between. In a loop, both may be reached if the loop can change it."""
        one, other = self.step(first), self.step(second)
        if one is None or other is None:
            return False
        ones, others = _apart(one, other)
        if ones and others and ones[-1].node is others[-1].node and _exclude(ones[-1], others[-1]):
            loop = ones[-1].loop
            return loop is None or not self._may_change(ones[-1].node, loop)
        return self._contradict(ones, others, first, second)

    def is_taken_again(self, step: BranchStep, first: TreePosition, second: TreePosition) -> bool:
        """Whether every run that has been at the first place takes a step on the way to the second one: it leads into a
        branch of a condition of which variables alone decide, and that is known at the first place (`if opened:
        self.open()`, and later `if opened: self.close()`)."""
        if not isinstance(step.node, ast.If) or step.arm == BEHIND:
            return False
        asked = tuple(self._claims_of((step,)))
        if not all(_is_of_variables(claim.test) for claim in asked):
            return False
        known = {_said(claim) for claim in self._claims_of(self.steps(first))}
        return all(_said(claim) in known and self._is_stable(claim, first, second) for claim in asked)

    def _contradict(
        self, ones: Sequence[BranchStep], others: Sequence[BranchStep], first: TreePosition, second: TreePosition
    ) -> bool:
        if any(isinstance(step.node, SCOPES) for step in (*ones, *others)):
            return False  # One name may be two variables.
        for mine in self._claims_of(ones):
            for theirs in self._claims_of(others):
                if contradict(mine, theirs) and self._is_stable(mine, first, second):
                    return True
        return False

    def _claims_of(self, steps: Sequence[BranchStep]) -> Iterator[Claim]:
        """What the conditions of some steps say."""
        for step in steps:
            if id(step) not in self._claims:
                self._claims[id(step)] = tuple(each for condition in step.conditions for each in claims(*condition))
            yield from self._claims[id(step)]

    def share_a_loop(self, first: TreePosition, second: TreePosition) -> bool:
        """Whether both places stand in one loop: each may be got to before the other."""
        one, other = self.step(first), self.step(second)
        return one is not None and other is not None and one.loop is not None and one.loop is other.loop

    def _may_change(self, node: ast.AST, loop: ast.AST) -> bool:
        """Whether a loop may change what the condition of a node in it tells: what it calls, and all attributes it
        stores, count."""
        test = _asked(node)
        start, end = start_of(loop), end_of(loop)
        stored = (place for name in _names_in(test) for place in self._stored.get(name, ()))
        return any(isinstance(each, ast.Call | ast.Subscript | ast.Await) for each in within(test)) or any(
            start <= place < end for place in stored
        )

    def _is_stable(self, claim: Claim, first: TreePosition, second: TreePosition) -> bool:
        """Whether a condition has the same result at both places: it contains no calls or subscripts, and the names
        that it reads are stored earlier."""
        if any(isinstance(each, (ast.Call, ast.Await, ast.NamedExpr, ast.Subscript)) for each in within(claim.test)):
            return False
        steps = (self.step(first), self.step(second))
        loops = [step.loop for step in steps if step is not None and step.loop is not None]
        return all(
            place < min(first, second) and not any(start_of(loop) <= place < end_of(loop) for loop in loops)
            for name in _names_in(claim.test)
            for place in self._stored.get(name, ())
        )

    @cached_property
    def _stored(self) -> dict[str, list[TreePosition]]:
        """Where each name, of a variable or an attribute, gets another value."""
        found: dict[str, list[TreePosition]] = {}
        for node in within(self._tree):
            if isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.id if isinstance(node, ast.Name) else node.attr, []).append(start_of(node))
        return found


def _plain_suites(tree: ast.AST) -> list[Sequence[ast.stmt]]:
    body = getattr(tree, "body", None)
    return [body] if isinstance(body, list) and body else []


def _asked(node: ast.AST) -> ast.AST:
    """What the arms of a node depend on."""
    asked = getattr(node, "test", None) or getattr(node, "subject", None)
    return asked if isinstance(asked, ast.AST) else node


def _said(claim: Claim) -> tuple[object, ...]:
    """What is equal for two claims that say the same."""
    return claim.subject, claim.compare, type(claim.other), claim.other, claim.answer


def _way_to(last: BranchStep) -> tuple[BranchStep, ...]:
    """A step and those before it in its function, the outermost first."""
    found: list[BranchStep] = []
    step: BranchStep | None = last
    while step is not None and step.before is not None and not isinstance(step.node, SCOPES):
        found.append(step)
        step = step.before
    return tuple(reversed(found))


def _is_of_variables(test: ast.expr) -> bool:
    """Whether the answer of a test depends on nothing but variables, which no other code changes."""
    return not any(isinstance(each, (ast.Attribute, ast.Subscript, ast.Call, ast.Await)) for each in within(test))


def _names_in(tree: ast.AST) -> Iterator[str]:
    for node in within(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _apart(one: BranchStep, other: BranchStep) -> tuple[list[BranchStep], list[BranchStep]]:
    """The steps to two places from where their ways part, the innermost first."""
    ones: list[BranchStep] = []
    others: list[BranchStep] = []
    while one is not other:
        deeper = one.depth >= other.depth
        if one.depth <= other.depth:
            others.append(other)
            other = other.before or other
        if deeper:
            ones.append(one)
            one = one.before or one
    return ones, others


def _exclude(one: BranchStep, other: BranchStep) -> bool:
    """Whether two steps that start at one node lead to where no single run gets."""
    if not isinstance(one.node, (ast.If, ast.IfExp, ast.Match)):
        return False
    if BEHIND in (one.arm, other.arm):
        return one.arm in other.excluded or other.arm in one.excluded
    return one.arm != other.arm
