"""Ways through a function: which of its places a run of it gets to. Few functions are asked about, so they are parsed
when they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from lintpickle.control_flow.alike import is_done_otherwise
from lintpickle.control_flow.assignments import Assignments, SureWay
from lintpickle.control_flow.branches import Branches
from lintpickle.control_flow.steps import BranchStep, Condition, TreePosition
from lintpickle.diagnostics import Span
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.program.module import Module
from lintpickle.source.lines import LineIndex

_CHOICE = re.compile(r"\b(?:if|elif|case|while|assert|except|and|or)\b")
"""What stands in front of two places to which no single run gets."""
_LOOP = re.compile(r"\b(?:for|while)\b")
_LAMBDA = "lambda"
MAX_TABLES = 64
"""Of how many functions the branches are remembered: the `ast` of a long one takes up a megabyte. Deciding the tests on
the way through constructors and their callers asks about some dozens in turn."""


class BranchTable(Struct, frozen=True, eq=False):
    """The branches and assignments of a function, and the rows of its text; `shift` are rows that were put in front of
    it."""

    tree: ast.Module
    branches: Branches
    assignments: Assignments
    lines: LineIndex
    shift: int


class Paths(Struct, frozen=True):
    """`function` is the span of one in a module; places are offsets in the file. Of those outside of the function,
    nothing is said."""

    module: Module
    function: Span

    def exclude_each_other(self, first: int, second: int) -> bool:
        """Whether no single run gets to both of two places: see `Branches.exclude_each_other`."""
        if not self._holds(first, second) or not self._has(_CHOICE, max(first, second)):
            return False
        table = self._table
        return table.branches.exclude_each_other(self._place(first, table), self._place(second, table))

    def has_condition_before(self, place: Span) -> bool:
        """Whether the function may ask anything before it gets to one of its places. (A condition may stand behind it
        on the same lines: `a if b else c`.)"""
        if not self._holds(place.start):
            return False
        return self._has(_CHOICE, _line_end(self.module.code, place.end))

    def share_a_loop(self, first: int, second: int) -> bool:
        """Whether one loop is around both of two places."""
        if not self._holds(first, second) or not self._has(_LOOP, min(first, second)):
            return False
        table = self._table
        return table.branches.share_a_loop(self._place(first, table), self._place(second, table))

    def precedes(self, first: int, second: int) -> bool:
        """Whether every run that gets to the second place has been at the first one."""
        if not self._holds(first, second) or first >= second:
            return False
        return not any(self.steps_beyond(first, second))

    def is_followed_by(self, first: int, second: int, are_loops_run: bool = False) -> bool:
        """Whether every run that has been at the first place gets to the second one, unless it fails. With
        `are_loops_run`, what `for` loops go through is not empty."""
        if not self._holds(first, second) or first >= second:
            return False
        table = self._table
        places = self._place(first, table), self._place(second, table)
        return all(
            (are_loops_run and isinstance(step.node, (ast.For, ast.AsyncFor)))
            or table.branches.is_taken_again(step, *places)
            for step in self.steps_beyond(second, first)
        )

    def steps_beyond(self, place: int, other: int) -> Iterator[BranchStep]:
        """The steps that lead to a place, but not to another one."""
        around = {(id(step.node), step.arm) for step in self.steps(other)}
        return (step for step in self.steps(place) if (id(step.node), step.arm) not in around)

    def conditions_around(self, place: int) -> tuple[Condition, ...]:
        """See `Branches.conditions_around`."""
        return tuple(condition for step in self.steps(place) for condition in step.conditions)

    def steps(self, place: int) -> tuple[BranchStep, ...]:
        """The steps that lead to a place, the outermost first: see `Branches.steps`."""
        if not self._holds(place):
            return ()
        table = self._table
        return table.branches.steps(self._place(place, table))

    def is_done_otherwise(self, step: BranchStep, place: int) -> bool:
        """Whether the call at a place is made alike in the branch of a step's condition that is not taken: see
        `alike.is_done_otherwise`."""
        return is_done_otherwise(step, self._place(place, self._table))

    def has(self, form: re.Pattern[str]) -> bool:
        """Whether something stands in the text of the function."""
        return self._has(form, self.function.end)

    def in_tree(self, place: int) -> tuple[ast.Module, int]:
        """The `ast` of the function, and the row (1-based) of a place in it."""
        table = self._table
        return table.tree, self._place(place, table)[0]

    def binds(self, name: str) -> bool:
        """Whether the function binds a variable itself, by whatever statement."""
        return self._table.assignments.binds(name)

    def reaching(
        self, name: str, place: TreePosition, is_sure: SureWay | None = None
    ) -> tuple[tuple[ast.expr | None, ...], bool]:
        """What a variable may hold at a place of the tree: see `Assignments.reaching`."""
        return self._table.assignments.reaching(name, place, is_sure)

    def without_name(self, node: ast.expr) -> ast.expr:
        """What a variable holds where an expression of the tree reads it, if that is one expression; the expression
        itself if it is no variable, or that is not known."""
        if isinstance(node, ast.Name):
            match self.reaching(node.id, (node.lineno, node.col_offset)):
                case (ast.expr() as only,), False:
                    return only
                case _:
                    pass
        return node

    def statement(self, place: int) -> ast.stmt | None:
        """The statement that starts at a place."""
        if not self._holds(place):
            return None
        table = self._table
        return table.branches.statement(self._place(place, table))

    def position(self, place: int) -> TreePosition:
        """Where a place of the file stands in the tree."""
        return self._place(place, self._table)

    def offset(self, place: TreePosition) -> int:
        """Where a place of the tree stands in the file."""
        table, (row, column) = self._table, place
        start = _row_start(self.module.code, self.function.start)
        return start + table.lines.offset_of_ast(row - table.shift, column)

    def span(self, node: ast.expr | ast.stmt) -> Span:
        """Where a node of the tree stands in the file."""
        end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Span(self.offset((node.lineno, node.col_offset)), self.offset(end))

    @property
    def tree(self) -> ast.Module:
        """The `ast` of the function; an empty one if it cannot be read by itself."""
        return self._table.tree

    def _holds(self, *places: int) -> bool:
        return all(self.function.start <= place < self.function.end for place in places)

    def _has(self, form: re.Pattern[str], end: int) -> bool:
        farthest = _line_end(self.module.code, self.function.end)
        return 0 <= self.module.end_of_first(form, self.function.start, farthest) <= end

    def _place(self, place: int, table: BranchTable) -> TreePosition:
        """The row of a place in the tree that is read, and its column."""
        code = self.module.code
        row_start = _row_start(code, place)
        row = table.lines.row(place - _row_start(code, self.function.start)) + table.shift
        return row, len(code[row_start:place].encode(errors="replace"))

    @property
    def _table(self) -> BranchTable:
        return _table(self.module, self.function)


def _row_start(code: str, place: int) -> int:
    newline = code.rfind("\n", 0, place)
    return max(newline, code.rfind("\r", newline + 1, place)) + 1


def _line_end(code: str, place: int) -> int:
    found = code.find("\n", place)
    return found if found >= 0 else len(code)


@lru_cache(maxsize=MAX_TABLES)
def _table(module: Module, function: Span) -> BranchTable:
    """Read once for all the questions that are asked of a function; an empty tree if it cannot be read by itself."""
    start = _row_start(module.code, function.start)
    before, own = module.code[start : function.start], module.code[function.start : function.end]
    text = before + own
    if own.startswith(_LAMBDA) and before.strip():  # It stands in an expression, of which nothing else is read.
        text = f"{' ' * (len(before.encode(errors='replace')) - 1)}({own})"
    block = "if True:\n" if text[:1].isspace() else ""
    try:
        tree = parse(block + text)
    except BrokenSyntax:
        tree = ast.Module([], [])
    branches = Branches(tree)
    return BranchTable(tree, branches, Assignments(tree, branches), LineIndex(text), bool(block))
