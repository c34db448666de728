"""Which assignments a variable's value can come from at a place in a function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from lintpickle.control_flow.branches import Branches
from lintpickle.control_flow.steps import SCOPES, BranchStep, TreePosition, end_of, leaves_suite, start_of
from lintpickle.parsing.names_read import children, within
from lintpickle.parsing.syntax import FUNCTIONS

SureWay: TypeAlias = Callable[[TreePosition, TreePosition], bool]


class _Binding(Struct, frozen=True, eq=False):
    """A statement that binds a variable: where it starts and has done so, the step to it, and the value if it is a
    plain assignment. `attempt` is the innermost `try` around it that may go on after an error before it."""

    start: TreePosition
    end: TreePosition
    step: BranchStep
    value: ast.expr | None
    attempt: ast.Try | None = None


class Assignments:
    """The assignments to the variables of one function, given its tree and branches."""

    def __init__(self, tree: ast.AST, branches: Branches) -> None:
        self._tree = tree
        self._branches = branches
        self._reaching: dict[tuple[str, TreePosition], tuple[tuple[ast.expr | None, ...], bool]] = {}

    def binds(self, name: str) -> bool:
        """Whether the function binds a variable."""
        return name in self._bindings

    def reaching(
        self, name: str, place: TreePosition, is_sure: SureWay | None = None
    ) -> tuple[tuple[ast.expr | None, ...], bool]:
        """What is assigned to a variable of the function that it may hold at a place, None for what is no plain
        assignment; and whether it may hold what it held before any of that. `is_sure` is asked of two places whether a
        run that gets to the second one has been at the first one, though a condition is around that."""
        if is_sure is not None:
            return self._find_reaching(name, place, is_sure)
        key = (name, place)
        if key not in self._reaching:
            self._reaching[key] = self._find_reaching(name, place)
        return self._reaching[key]

    def _find_reaching(
        self, name: str, place: TreePosition, is_sure: SureWay | None = None
    ) -> tuple[tuple[ast.expr | None, ...], bool]:
        step = self._branches.step(place)
        found: list[ast.expr | None] = []
        for binding in reversed(self._bindings.get(name, ())):
            is_before = binding.end <= place
            if not is_before and (step is None or step.loop is None or binding.step.loop is not step.loop):
                continue
            if self._branches.exclude_each_other(binding.start, place):
                continue
            found.append(binding.value)
            if binding.attempt is not None and not _has_succeeded(binding.attempt, place):
                continue
            if is_before and (step is None or _leads_to(binding.step, step)):
                return tuple(found), False
            if is_before and is_sure is not None and is_sure(binding.start, place):
                return tuple(found), False
        return tuple(found), True

    @cached_property
    def _bindings(self) -> dict[str, list[_Binding]]:
        """Where the function binds each of its variables, in file order."""
        found: dict[str, list[_Binding]] = {}
        _, statements, steps = self._branches.marks
        scope = _scope(self._tree)
        attempts = [node for node in within(self._tree) if isinstance(node, ast.Try)]
        for statement, step in zip(statements, steps, strict=True):
            if statement is scope or _scope_of(step) is not scope:
                continue
            for name, value in _bound_by(statement):
                attempt = _attempt_around(statement, name, value, attempts)
                binding = _Binding(start_of(statement), _head_end(statement), step, value, attempt)
                found.setdefault(name, []).append(binding)
        return found


def _attempt_around(
    statement: ast.stmt, name: str, value: ast.expr | None, attempts: Sequence[ast.Try]
) -> ast.Try | None:
    """The innermost `try` around a statement that may go on without what it binds."""
    inner: ast.Try | None = None
    for attempt in attempts:
        body = attempt.body
        is_around = start_of(body[0]) <= start_of(statement) and end_of(statement) <= end_of(body[-1])
        if is_around and not (statement is body[0] and isinstance(value, ast.Constant)) and _may_miss(attempt, name):
            inner = attempt if inner is None or start_of(attempt) > start_of(inner) else inner
    return inner


def _may_miss(attempt: ast.Try, name: str) -> bool:
    """Whether code behind a `try` may run after an error in it, and no handler binds a variable instead."""
    for handler in attempt.handlers:
        is_bound = any(name == bound for part in handler.body for bound, _ in _bound_by(part))
        if not is_bound and not leaves_suite(handler.body):
            return True
    return False


def _has_succeeded(attempt: ast.Try, place: TreePosition) -> bool:
    """Whether a place is one in the body of a `try`, or in its `else`."""
    if place <= end_of(attempt.body[-1]):
        return True
    other = attempt.orelse
    return bool(other) and start_of(other[0]) <= place <= end_of(other[-1])


def _scope(tree: ast.AST) -> ast.AST:
    """The function whose variables a tree tells of; the tree itself if it is the code of a module."""
    first = next(iter(getattr(tree, "body", ())), None)
    if isinstance(first, ast.If) and isinstance(first.test, ast.Constant):
        first = first.body[0]
    return first if isinstance(first, FUNCTIONS) else tree


def _scope_of(step: BranchStep) -> ast.AST | None:
    """The innermost function, or class, around a step."""
    inner: BranchStep | None = step
    while inner is not None and not isinstance(inner.node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
        inner = inner.before
    return inner.node if inner is not None else None


def _leads_to(step: BranchStep, place: BranchStep) -> bool:
    """Whether all ways to a place come by a step."""
    inner: BranchStep | None = place
    while inner is not None and inner is not step:
        inner = inner.before
    return inner is step


def _head_end(statement: ast.stmt) -> TreePosition:
    """Where a statement has bound its names: a loop or block before its body."""
    body = getattr(statement, "body", None)
    return start_of(body[0]) if isinstance(body, list) and body else end_of(statement)


def _bound_by(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """The variables that a statement itself binds, not those in its suites; the value of plain assignments."""
    plain = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    for target in targets if plain is not None else ():
        if isinstance(target, ast.Name):
            yield target.id, plain
    known = {target.id for target in targets if isinstance(target, ast.Name)} if plain is not None else set()
    parts: list[ast.AST] = [statement] if not isinstance(statement, SCOPES) else []
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load) and part.id not in known:
            yield part.id, None
        elif isinstance(part, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and part.name is not None:
            yield part.name, None
        elif isinstance(part, ast.MatchMapping) and part.rest is not None:
            yield part.rest, None
        parts += [each for each in children(part) if not isinstance(each, (ast.stmt, ast.Lambda))]
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        yield statement.name, None
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from ((alias.asname or alias.name.partition(".")[0], None) for alias in statement.names)
    elif isinstance(statement, (ast.Global, ast.Nonlocal)):
        yield from ((name, None) for name in statement.names)
