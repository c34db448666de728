"""Tests of the number of the process (`if self.pid != os.getpid():`): whether they ask for a forked child."""

from __future__ import annotations

import ast

from lintpickle.control_flow.steps import start_of
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.parsing.names_read import within

_NUMBER = ("os.getpid()", "getpid()")


def is_same_process(test: ast.expr, frame: Frame) -> bool | None:
    """How a test comes out that compares the number of the process with a kept one, which the function has stored
    before where there was none: in all processes but forked children, they are equal. None for other tests."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as compared], comparators=[right]):
            for kept, number in ((left, right), (right, left)):
                if isinstance(number, ast.Call) and _is_kept_before(test, kept, ast.unparse(number), frame):
                    return isinstance(compared, ast.Eq)
    return None


def _is_kept_before(test: ast.expr, kept: ast.expr, number: str, frame: Frame) -> bool:
    """Whether the function stores the number of the process before a test, where that reads it."""
    if number not in _NUMBER:
        return False
    target = ast.unparse(kept)
    return any(
        isinstance(node, ast.Assign)
        and start_of(node) < start_of(test)
        and ast.unparse(node.value) == number
        and any(ast.unparse(each) == target for each in node.targets)
        for node in within(frame.paths.tree)
    )
