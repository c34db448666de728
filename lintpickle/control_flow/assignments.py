"""Which assignments a variable's value can come from at a place in a function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from lintpickle.control_flow.branches import Branches
from lintpickle.control_flow.steps import SCOPES, BranchStep, TreePosition, end_of, start_of
from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import FUNCTIONS

SureWay: TypeAlias = Callable[[TreePosition, TreePosition], bool]


class _Binding(Struct, frozen=True, eq=False):
    """A statement that binds a variable: where it starts and has done so, the step to it, and the value if it is a
    plain assignment."""

    start: TreePosition
    end: TreePosition
    step: BranchStep
    value: ast.expr | None


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
        for statement, step in zip(statements, steps, strict=True):
            if statement is scope or _scope_of(step) is not scope:
                continue
            for name, value in _bound_by(statement):
                found.setdefault(name, []).append(_Binding(start_of(statement), _head_end(statement), step, value))
        return found


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
