"""What a step on the way to a place asks, and which conditions are taken to be passed though they are not decided."""

from __future__ import annotations

import ast
import re

from msgspec import Struct

from lintpickle.control_flow.steps import BranchStep
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import last_name

_COMMAND_LINE = re.compile(r"(?:cli_|cmd_)?(?:args|arguments|opts?|options|flags|namespace|ARGS|OPTS?|FLAGS)$")
"""What programs call the options that they are given."""
_PROCESS = re.compile(r"(?:(?:is_?)?(?:local|global|world|node)?_?(?:rank|main|master|main_process|world_size))$", re.I)
"""What programs call the number of a process among others."""
_SURROUNDINGS = frozenset({"os", "sys", "platform", "shutil", "torch", "dist", "multiprocessing", "mp", "__name__"})
"""Modules that tell of the machine, and of how the program was started; and the name of the script."""


class Hurdle(Struct, frozen=True):
    """A condition on the way to a place, which has to answer so; without a test, one that is not written as a test (an
    exception, a case). A `usual` one is taken to be passed if it is not decided."""

    test: ast.expr | None
    holds: bool
    usual: bool


def hurdles_of(step: BranchStep) -> tuple[Hurdle, ...]:
    """What a step asks."""
    if step.conditions:
        is_loop = isinstance(step.node, (ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp))
        return tuple(Hurdle(test, holds, step.fails or is_loop or _is_usual(test)) for test, holds in step.conditions)
    is_asking = isinstance(step.node, ast.Match) or hasattr(step.node, "handlers")
    return (Hurdle(None, True, False),) if is_asking and not step.fails else ()


def _is_usual(test: ast.expr) -> bool:
    """Whether a test asks the command line, the machine, or which process this is, and nothing else."""
    roots = [node for node in within(test) if isinstance(node, (ast.Name, ast.Attribute)) and is_root(node, test)]
    return bool(roots) and all(_is_of_surroundings(root) for root in roots)


def is_root(node: ast.AST, test: ast.expr) -> bool:
    """Whether a name or chain of attributes is not a part of a longer one."""
    inner = {id(each.value) for each in within(test) if isinstance(each, ast.Attribute)}
    return id(node) not in inner


def _is_of_surroundings(node: ast.AST) -> bool:
    parts: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
        node = node.value if isinstance(node, ast.Attribute) else node.func
    name = node.id if isinstance(node, ast.Name) else ""
    last = parts[0] if parts else name
    if _PROCESS.match(last) or name in _SURROUNDINGS or last in ("exists", "is_file", "is_dir", "isatty"):
        return True
    return bool(parts) and _COMMAND_LINE.match(parts[-2] if name == "self" and len(parts) > 1 else name) is not None


def is_option_given(test: ast.expr, holds: bool) -> bool:
    """Whether a test that comes out so says that an option of the command line is given: `args.verbose`."""
    match test:
        case ast.Compare(left=asked, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=True)]):
            pass
        case asked:
            pass
    return holds and isinstance(asked, ast.Attribute) and _COMMAND_LINE.match(last_name(asked.value)) is not None
