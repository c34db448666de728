"""Names that stand for a boundary in a program: own subclasses of DataLoader, partials and aliases of it.

The screen looks for the boundaries' own names; calls of a stand-in hold none of them. Found in outlines and text alone,
without resolving anything, so there may be too many, never too few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.catalog import Catalog
from lintpickle.facts.values import Attribute, Imported, Name, Value
from lintpickle.project.program import Module
from lintpickle.source.outline import Plot
from lintpickle.source.screen import Words

_ALIAS = re.compile(r"^\w+(?:\s*:[^=\n]+)?\s*=\s*(?:[\w.]*\bpartial\(|[\w.]+\s*$)", re.MULTILINE)
_MAX_ROUNDS = 5


class StandIns:
    """The stand-ins of a program. `modules` are its first-party modules, `catalog` knows the boundaries' names."""

    def __init__(self, modules: Sequence[Module], catalog: Catalog) -> None:
        self._modules = modules
        self._derived: dict[str, frozenset[str]] = {}
        words = catalog.boundary_words()
        self.names = self._grown(words) - words
        self._words = Words(self.names)
        self.pattern = _any_of(self.names)

    def derived(self, class_name: str) -> frozenset[str]:
        """The name of a class, of classes that derive from it, and aliases of these; there may be too many."""
        if class_name not in self._derived:
            self._derived[class_name] = self._grown(frozenset({class_name}))
        return self._derived[class_name]

    def _grown(self, names: frozenset[str]) -> frozenset[str]:
        for _ in range(_MAX_ROUNDS):
            more = names.union(self._found(names))
            if more == names:
                break
            names = more
        return names

    def _found(self, names: frozenset[str]) -> Iterator[str]:
        for module in self._modules:
            for alias, imported in module.outline.imports.items():
                if imported.name in names and alias != imported.name:
                    yield alias
            for plot in module.outline.plots:
                yield from (
                    header.name for header in plot.classes if any(_last(base) in names for base in header.bases)
                )
                if (
                    plot.names
                    and not plot.classes
                    and not plot.defines_function
                    and self._is_alias(module, plot, names)
                ):
                    yield from plot.names

    def _is_alias(self, module: Module, plot: Plot, names: frozenset[str]) -> bool:
        text = module.code[plot.span.start : plot.span.end]
        return bool(_ALIAS.search(text)) and any(word in names for word in re.findall(r"\w+", text))

    def calls(self) -> Iterator[tuple[Module, Plot]]:
        """The plots in which a stand-in can be called."""
        if not self.names:
            return
        for module in self._modules:
            if self._words.are_in(module.code) and self.pattern.search(module.code):
                for plot in module.outline.plots:
                    if not plot.bare and self.pattern.search(module.code, plot.span.start, plot.span.end):
                        yield module, plot

    def is_one(self, function: Value) -> bool:
        """Whether what is called has the name of a stand-in."""
        match function:
            case Name(name=name) | Attribute(name=name):
                return name in self.names
            case Imported(target=target):
                return (target.name or _last(target.module)) in self.names
            case _:
                return False


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]


def _any_of(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(re.escape(word) for word in sorted(words))})\b" if words else r"(?!)")
