"""Pools that a function gives a task to, and that others end before anything waits for the task: the object that keeps
the pool, in its `__exit__` or `stop()`, or the function around, which leaves the `with` of the pool.

Measured with CPython 3.11 under fork, spawn and forkserver: of 40 tasks of 0.05 s that `send()` of an object gives its
pool, none is done when its `__exit__` calls `pool.terminate()`, `pool.__exit__(*exc)`, or `close()` and `terminate()`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise, takewhile
from typing import TypeAlias

from lintpickle.analyses.calls_and_values.happenings import (
    Happening,
    calls_leading_to,
    happenings,
    happenings_when_left,
)
from lintpickle.analyses.calls_and_values.left_contexts import contexts_left
from lintpickle.analyses.calls_and_values.values import can_be_made_by
from lintpickle.analyses.waiting.after_last_task import (
    GOES_ON,
    line_to,
    may_wait,
    statements_behind,
    without_return,
)
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Expr, ending_name, reads_the_same
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.interpreter.callees import callees
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.payload.linker import Linker

_ENDS = frozenset({"terminate", "__exit__"})
"""The methods of a pool after which no more tasks are done."""
_MAY_END = re.compile(r"\.\s*(?:terminate|__exit__)\s*\(|\bwith\b")
_HANDS_OVER = re.compile(r"\b(?:while|yield|await)\b")
"""What stands in functions that may take time, or let others go on."""
_CALLERS_FOLLOWED = 3
_MAY_WAIT, _GOES_ON = False, True
_Way: TypeAlias = "Site | bool"
"""What something behind the task does: it ends the pool at a site, may wait for the task, or goes on."""


class PoolsOfCallers:
    """Follows what happens behind the call of a task, in the function that makes it and in those that lead there."""

    def __init__(self, boundary: BoundaryCall, maker: BoundaryCall, linker: Linker) -> None:
        self._boundary = boundary
        self._maker = maker
        self._linker = linker

    def ended(self) -> Site | None:
        """Where the pool is ended before anything waits for the task; None if something may wait, or nothing that is
        seen ends it."""
        home = self._boundary.frame
        if not any(module.has(_MAY_END) for module in (home.module, self._maker.frame.module)):
            return None
        return self._ended_behind(self._boundary.call, home, 0)

    def _ended_behind(self, call: Call, frame: Frame, depth: int) -> Site | None:
        source = source_tree(frame.module.code)
        line = line_to(call.span, source) if source is not None and frame.module.first_party else []
        inside = [*takewhile(lambda each: not isinstance(each, FUNCTIONS), line)]
        for child, around in pairwise(line[: len(inside) + 1]):
            behind = statements_behind(child, around)
            if source is None or behind is None or may_wait(without_return(child)):
                return None
            first = next((each for each in self._ways(behind, around, frame, source) if each is not _GOES_ON), _GOES_ON)
            if first is not _GOES_ON:
                return first if isinstance(first, Site) else None
        callers = calls_leading_to(frame, self._boundary.frame.module.path, self._linker) if inside else ()
        if depth == _CALLERS_FOLLOWED:
            return None
        return next(filter(None, (self._ended_behind(each, outer, depth + 1) for outer, each in callers)), None)

    def _ways(self, behind: list[ast.stmt], around: ast.AST, frame: Frame, source: SourceTree) -> Iterator[_Way]:
        """What the statements behind the task do, one after the other, and what leaving a `with` around them does."""
        yield from (self._of_statement(each, frame, source) for each in behind)
        if isinstance(around, ast.With):
            yield from (self._of_leaving(each, around, frame, source) for each in reversed(around.items))

    def _of_statement(self, statement: ast.stmt, frame: Frame, source: SourceTree) -> _Way:
        """What a statement behind the task does."""
        if may_wait(without_return(statement)):
            return _MAY_WAIT
        return self._of(happenings(frame, self._linker, source.span(statement)))

    def _of_leaving(self, item: ast.withitem, around: ast.With, frame: Frame, source: SourceTree) -> _Way:
        """What leaving a context of a `with` statement does."""
        place, end = source.span(item.context_expr), source.span(around).end
        if self._maker.call.span == place and self._maker.frame.module is frame.module:
            return self._maker.site
        left = [each for each in contexts_left(frame, self._linker) if (each.start, each.end) == (place.start, end)]
        if not left:
            return _MAY_WAIT
        return self._of(each for context in left for each in happenings_when_left(context, self._linker))

    def _of(self, happenings: Iterable[Happening]) -> _Way:
        """What comes first of what happens: that the pool is ended, or that something may wait."""
        for each in happenings:
            if isinstance(each.event, Called):
                way = self._of_call(each.event, each.frame)
                if way is not _GOES_ON:
                    return way
        return _GOES_ON

    def _of_call(self, event: Called, frame: Frame) -> _Way:
        called, linker = event.call.function, self._linker
        if isinstance(called, Attribute) and called.name in _ENDS and self._is_pool(called.base, frame):
            is_reached = not event.conditional or linker.evaluator.conditions.reaches(event.span, frame)
            return Site(frame.module, event.span) if is_reached else _MAY_WAIT
        own = [*callees(event.call, frame, linker.evaluator)]
        if own:
            texts = (each.module.code[each.facts.header.end : each.facts.span.end] for each in own)
            is_followed = all(each.module.first_party for each in own) and not any(map(_HANDS_OVER.search, texts))
            return _GOES_ON if is_followed else _MAY_WAIT
        return _GOES_ON if ending_name(called) in GOES_ON else _MAY_WAIT

    def _is_pool(self, value: Expr, frame: Frame) -> bool:
        """Whether an expression is the pool, as its value is known, or as the class of the function that gives the task
        names it."""
        if can_be_made_by(self._maker.call, value, frame, self._linker):
            return True
        home, task = self._boundary.frame, self._boundary.call.function
        if not isinstance(task, Attribute) or frame.module is not home.module:
            return False
        owner, other = (each.function.qualname.rpartition(".")[0] for each in (frame, home))
        return bool(owner) and owner == other and reads_the_same(value, task.base)
