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
    an operator chain of 4 000 takes seconds (measured with libcst 1.9). Walks level by level, so that it cannot
    overflow itself."""
    depth = 0
    level = [tree]
    while level:
        if depth > MAX_NESTING and not all(isinstance(node, (ast.BinOp, ast.Attribute, ast.If)) for node in level):
            return True
        if depth > MAX_OPERATOR_CHAIN or (depth > MAX_ELIF_CHAIN and any(isinstance(node, ast.If) for node in level)):
            return True
        level = [child for node in level for child in children(node)]
        depth += 1
    return False
