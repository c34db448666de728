"""What imports bind, according to their own text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.parsing.names_read import children


class ImportedName(Struct, frozen=True):
    """What an import binds: `from {level dots}{module} import {name}`, or a module itself when `name` is None."""

    module: str
    name: str | None = None
    level: int = 0

    def path(self, rest: str = "") -> str:
        """The dotted name of what is imported, or of its attribute `rest`, without leading dots."""
        return ".".join(part for part in (self.module, self.name, rest) if part)


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, ImportedName]]:
    """The names that an import binds, each with what it stands for."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, ImportedName(node.module or "", alias.name, node.level)
        elif alias.asname:
            yield alias.asname, ImportedName(alias.name)
        else:
            top = alias.name.split(".")[0]
            yield top, ImportedName(top)


def imported_in(tree: ast.AST) -> Iterator[tuple[str, ImportedName]]:
    """The names that imports anywhere in the tree bind, each with what it stands for."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from imported_names(node)
        else:
            stack.extend(children(node))
