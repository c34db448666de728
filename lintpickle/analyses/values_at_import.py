"""What the import of a module gives its globals, as far as one assignment tells it."""

from __future__ import annotations

import re
from collections.abc import Collection

from lintpickle.analyses.main_setters import constant_in
from lintpickle.parsing.outline import Block
from lintpickle.program.module import Module

_TARGET = r"\w+\s*(?::[^=\n]+)?=\s*"
_COMMENT = r"\s*(?:#.*)?"
_ASSIGNMENT = re.compile(rf"{_TARGET}([^#\n]+?){_COMMENT}")
_CONTAINER = r"(?:list|dict|set|tuple|collections\.\w+|OrderedDict|defaultdict|Counter|deque)"
_IS_EMPTY = re.compile(rf"{_TARGET}(?:\[\s*\]|\{{\s*\}}|{_CONTAINER}\(\s*[a-z]*\s*\)){_COMMENT}")


def constant_at_import(name: str, bound: Collection[Block], module: Module) -> str | None:
    """The constant, as written, that these blocks assign to the name."""
    values = {_assigned(name, block, module) for block in bound}
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
    return f"`{constant}`" if constant is not None else "empty" if is_empty_at_import(name, [*bound], module) else None


def _assigned(name: str, block: Block, module: Module) -> str | None:
    found = _as(_ASSIGNMENT, name, block, module)
    return constant_in(found.group(1)) if found is not None else None


def _as(assignment: re.Pattern[str], name: str, block: Block, module: Module) -> re.Match[str] | None:
    """A block that is an assignment of that form, to the name."""
    return assignment.fullmatch(module.facts.text(block).strip()) if block.names == (name,) else None
