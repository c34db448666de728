"""Source that libcst must not be asked to parse."""

from __future__ import annotations

import ast

from lintpickle.source.reads import children

MIN_LENGTH = 8000
"""No shorter text is absurd: it has room for an `elif` chain of 900 and an operator chain of 4 000."""
MAX_ELIF_CHAIN = 1000
MAX_NESTING = 120
MAX_OPERATOR_CHAIN = 1000


def is_absurd(tree: ast.AST) -> bool:
    """True where libcst could crash the interpreter or go quadratic: an `elif` chain of 10 000 overflows the stack,
    an operator chain of 4 000 takes seconds (measured with libcst 1.9). Walks with an explicit stack, so that it
    cannot overflow itself."""
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if depth > MAX_NESTING and not isinstance(node, (ast.BinOp, ast.Attribute, ast.If)):
            return True
        if depth > MAX_OPERATOR_CHAIN or (isinstance(node, ast.If) and depth > MAX_ELIF_CHAIN):
            return True
        stack.extend([(child, depth + 1) for child in children(node)])
    return False
