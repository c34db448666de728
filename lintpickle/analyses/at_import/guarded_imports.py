"""Imports that stand under the main guard alone: workers do not make them."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator

from lintpickle.analyses.at_import.import_time import is_guard
from lintpickle.analyses.at_import.run_statements import block_read
from lintpickle.diagnostics import Span
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.names_read import within
from lintpickle.parsing.outline import Block
from lintpickle.payload.imported_modules import imported_directly, imported_with
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_IMPORTS = re.compile(r"^[ \t]+(?:import|from)\s", re.MULTILINE)


def imported_by_workers(modules: Iterable[Module], linker: Linker) -> Collection[Module]:
    """The modules, and all that workers run when they import them."""
    first = tuple(dict.fromkeys(modules))
    everything = imported_with(first, linker)
    if not any(_guarded(module, linker) for module in first):
        return everything
    waiting, seen, found = list(first), set[str](), list[Module]()
    while waiting:
        module = waiting.pop()
        if module.path not in seen:
            seen.add(module.path)
            found.append(module)
            guarded = _guarded(module, linker)
            waiting += (each for each in imported_directly((module,), linker) if each.path not in guarded)
    return found


def _guarded(module: Module, linker: Linker) -> frozenset[str]:
    """The paths of the modules that a module imports under its main guard alone."""
    if not module.first_party:
        return frozenset()
    return linker.remembered(("guarded imports", module.path), lambda: frozenset(_find(module, linker)))


def place_guarded(name: str, module: Module) -> Span | None:
    """Where the main guard of a module imports a name that nothing else at module level binds; None if it does not."""
    if name in module.outline.import_ways:
        return None
    found = module.remembered("names imported under the guard", lambda: dict(_imports_guarded(module))).get(name)
    if found is None:
        return None
    guard, place = found
    return None if _is_imported_outside(name, guard, module) else place


def _imports_guarded(module: Module) -> Iterator[tuple[str, tuple[Block, Span]]]:
    """The names that imports under the main guard bind, each with the guard and the place; the first place last."""
    for block in reversed(module.outline.blocks):
        if _IMPORTS.search(module.code, block.span.start, block.span.end) is None or not is_guard(block, module):
            continue
        read = block_read(block, module)
        for node in reversed(list(within(read.tree))):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                yield from ((name, (block, read.span(node))) for name in _names_bound(node))


def _is_imported_outside(name: str, guard: Block, module: Module) -> bool:
    """Whether a statement outside the guard may import the name, as far as the text shows."""
    others = module.code[: guard.span.start] + module.code[guard.span.end :]
    return re.search(rf"^\s*(?:import|from)\s[^\n#(]*(?:\([^)]*)?\b{name}\b", others, re.MULTILINE) is not None


def _names_bound(statement: ast.Import | ast.ImportFrom) -> list[str]:
    return [alias.asname or alias.name.partition(".")[0] for alias in statement.names]


def _find(module: Module, linker: Linker) -> Iterator[str]:
    for block in module.outline.blocks:
        if _IMPORTS.search(module.code, block.span.start, block.span.end) is None or not is_guard(block, module):
            continue
        others = module.code[: block.span.start] + module.code[block.span.end :]
        for name in _imported(block_read(block, module).tree, module, linker):
            last = re.escape(name.rpartition(".")[2])
            found = linker.program.find(name, module)
            if (
                found is not None
                and re.search(rf"^\s*(?:import|from)\s[^\n#]*\b{last}\b", others, re.MULTILINE) is None
            ):
                yield found.path


def _imported(tree: ast.Module, module: Module, linker: Linker) -> Iterator[str]:
    for node in within(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=source, names=names, level=level):
                path = module.absolute(ImportedName(source or "", None, level), linker.program.finder)
                if path:
                    yield path
                    yield from (f"{path}.{alias.name}" for alias in names)
            case _:
                pass
