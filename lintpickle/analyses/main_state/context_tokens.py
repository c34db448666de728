"""Values that context variables get back: `VARIABLE.reset(token)` after `token = VARIABLE.set(value)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.run_statements import written_as
from lintpickle.parsing.names_read import within

_SETS = re.compile(r"[\w.]+\.set\(")
_RESETS = "reset"


def resets(token: str, value: str, tree: ast.AST) -> Iterator[ast.Call]:
    """The calls in a tree that take back what gave a token, if a context variable did: `token` is what is assigned to,
    `value` what is assigned, as `ast` writes them."""
    for node in within(tree) if _SETS.match(value) else ():
        match node:
            case ast.Call(func=ast.Attribute(attr=method), args=[given]) if method == _RESETS:
                if written_as(given) == token:
                    yield node
            case _:
                pass
