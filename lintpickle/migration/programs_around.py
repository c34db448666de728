"""Which modules run in the programs of which a module is a part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from lintpickle.payload.imported_modules import imported_by_functions, imported_directly
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_COMPUTED = re.compile(
    r"\b(?:import_module|__import__)\((?!\s*[\"'][\w.]*[\"'])|\b(?:iter_)?entry_points\(|\bspec_from_file_location\("
)
"""What stands in a module that imports others by names which it computes, or finds at run time."""


class ProgramsAround:
    """Asks the imports of all modules of a project, in functions too."""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self._known: dict[str, frozenset[str]] = {}

    def around(self, path: str) -> frozenset[str]:
        """The paths of the modules that import the one at a path, directly or by way of others, and of all that any of
        these imports."""
        if path not in self._known:
            importing = _closure([path], self._importers)
            self._known[path] = frozenset(_closure(importing, self._imports))
        return self._known[path]

    def is_open(self, path: str) -> bool:
        """Whether the programs around a module import others that are not seen: any may be theirs."""
        return not self._computed.isdisjoint(self.around(path))

    @cached_property
    def _imports(self) -> Mapping[str, tuple[str, ...]]:
        return {module.path: self._of(module) for module in self._linker.scope}

    def _of(self, module: Module) -> tuple[str, ...]:
        linker = self._linker
        found = (*imported_directly([module], linker), *imported_by_functions([module], linker))
        return tuple(dict.fromkeys(each.path for each in found))

    @cached_property
    def _importers(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for path, imported in self._imports.items():
            for each in imported:
                found.setdefault(each, []).append(path)
        return {path: tuple(paths) for path, paths in found.items()}

    @cached_property
    def _computed(self) -> frozenset[str]:
        return frozenset(module.path for module in self._linker.scope if module.has(_COMPUTED))


def _closure(paths: Iterable[str], leading: Mapping[str, tuple[str, ...]]) -> set[str]:
    """The paths and all to which they lead."""
    seen, waiting = set[str](), list(paths)
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += leading.get(path, ())
    return seen
