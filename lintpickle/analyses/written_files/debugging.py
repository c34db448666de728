"""Files that are written right before a debugger is started, to be looked at there."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.fixes.syntax import source_tree
from lintpickle.parsing.syntax import dotted

_MAY_STOP = re.compile(r"\bset_trace\(|\bbreakpoint\(|\bembed\(")
_STOPS = re.compile(r"(?:\w+\.)*set_trace|breakpoint|(?:IPython\.)?embed")
"""What starts a debugger, or a shell, where it stands."""


def is_for_debugging(call: BoundaryCall) -> bool:
    """Whether a call is followed by one that starts a debugger, and there are only other calls between."""
    module, span = call.frame.module, call.call.span
    source = source_tree(module.code) if module.has(_MAY_STOP) else None
    if source is None:
        return False
    for node in source.nodes:
        for name in ("body", "orelse", "finalbody"):
            suite = getattr(node, name, None)
            statements = suite if isinstance(suite, list) else []
            for place, each in enumerate(statements):
                if isinstance(each, ast.Expr) and source.span(each).start == span.start:
                    return _stops(statements[place + 1 :])
    return False


def _stops(statements: Sequence[ast.stmt]) -> bool:
    for each in statements:
        match each:
            case ast.Expr(value=ast.Call(func=function)):
                if _STOPS.fullmatch(dotted(function)):
                    return True
            case _:
                return False
    return False
