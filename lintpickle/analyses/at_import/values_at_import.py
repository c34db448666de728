"""What the import of a module gives its globals, as far as one assignment tells it."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from lintpickle.analyses.main_state.main_setters import constant_in
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.program.module import Module

_TARGET = r"\w+\s*(?::[^=\n]+)?=\s*"
_COMMENT = r"\s*(?:#.*)?"
VALUE_WRITTEN = r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^#\n"'])"""
"""A part of a value that stands on one line: a text may have a `#` in it."""
_ASSIGNMENT = re.compile(rf"{_TARGET}({VALUE_WRITTEN}+?){_COMMENT}")
_CONTAINER = r"(?:list|dict|set|tuple|collections\.\w+|OrderedDict|defaultdict|Counter|deque)"
_IS_EMPTY = re.compile(rf"{_TARGET}(?:\[\s*\]|\{{\s*\}}|{_CONTAINER}\(\s*[a-z]*\s*\)){_COMMENT}")

EMPTY = "empty"
"""What `at_import` calls a container with nothing in it."""


def constant_at_import(name: str, bound: Collection[Block], module: Module) -> str | None:
    """The constant, as written, that these blocks assign to the name."""
    values = {_assigned(name, block, module) for block in bound}
    return values.pop() if len(values) == 1 else None


def value_at_import(name: str, bound: Collection[Block], module: Module) -> str | None:
    """The expression, as written, that these blocks give the name, if it is one."""
    values = {given_with_others(name, block, module) for block in bound}
    return values.pop() if len(values) == 1 else None


def is_empty_at_import(name: str, bound: list[Block], module: Module) -> bool:
    """Whether these blocks are one assignment of an empty container to the name."""
    return len(bound) == 1 and _as(_IS_EMPTY, name, bound[0], module) is not None


def at_import(name: str, module: Module) -> str | None:
    """What the import gives a global, in words, if that is one constant or an empty container and nothing else is seen
    that binds it but functions."""
    bound = module.outline.binding(name)
    if name in module.outline.imports or len(bound) != 1:
        return None
    constant = constant_at_import(name, bound, module)
    return f"`{constant}`" if constant is not None else EMPTY if is_empty_at_import(name, [*bound], module) else None


def _assigned(name: str, block: Block, module: Module) -> str | None:
    found = _as(_ASSIGNMENT, name, block, module)
    return constant_in(found.group(1)) if found is not None else None


def _as(assignment: re.Pattern[str], name: str, block: Block, module: Module) -> re.Match[str] | None:
    """A block that is an assignment of that form, to the name."""
    if block.names == (name,):
        return assignment.fullmatch(module.facts.text(block).strip())
    text = given_with_others(name, block, module)
    return assignment.fullmatch(f"{name} = {text}") if text is not None else None


def given_with_others(name: str, block: Block, module: Module) -> str | None:
    """What a statement gives a name that binds several (`first = second = None`, `low, high = 0, 9`), or that stands on
    a line with others; None if that is not written there."""
    if block.defines_function or block.is_class or name not in block.names:
        return None
    return module.remembered(("given with others", block.span, name), lambda: _given(name, module.facts.text(block)))


def _given(name: str, text: str) -> str | None:
    try:
        statements = parse(text).body
    except BrokenSyntax:
        return None
    given: ast.expr | None = None
    for statement in statements:
        match statement:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    given = _paired(name, target, value) or given
            case ast.AnnAssign(target=ast.Name(id=named), value=ast.expr() as value) if named == name:
                given = value
            case ast.AnnAssign() | ast.Expr():
                pass
            case _:
                return None  # It may bind the name under a condition, or more than once.
    return ast.get_source_segment(text, given) if given is not None else None


def _paired(name: str, target: ast.expr, value: ast.expr) -> ast.expr | None:
    """What of a value goes to a name."""
    match target, value:
        case ast.Name(id=named), _ if named == name:
            return value
        case ast.Tuple(elts=targets) | ast.List(elts=targets), ast.Tuple(elts=values) | ast.List(elts=values):
            is_open = any(isinstance(each, ast.Starred) for each in (*targets, *values))
            pairs = zip(targets, values, strict=True) if not is_open and len(targets) == len(values) else ()
            return next((found for each, one in pairs if (found := _paired(name, each, one)) is not None), None)
        case _:
            return None
