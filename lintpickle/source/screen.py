"""The screen: which files, and which parts of them, can matter. Derived from what rules and catalog declare."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Protocol

from lintpickle.source.outline import Outline, Plot

_CLASS_WITH_BASES = re.compile(r"^\s*class\s+\w+\s*\(", re.MULTILINE)
_DATASET_LIKE = re.compile(r"^\s*class\s+\w+\s*\([^)]*[A-Za-z]", re.MULTILINE)


class Screened(Protocol):
    """What the screen looks at: a module's text and map."""

    @property
    def outline(self) -> Outline:
        """The map of the module."""
        ...

    @property
    def code(self) -> str:
        """The text that is parsed."""
        ...


class Screen:
    """Word scans over bytes and plots.

    `hazard_words` occur wherever a rule can find a hazard in a class; `boundary_words` wherever an object can be
    pickled. Both are plain substrings.
    """

    def __init__(self, hazard_words: Collection[str], boundary_words: Collection[str]) -> None:
        self._hazard = _any_of(hazard_words)
        self._boundary = _any_of(boundary_words)

    def file_matters(self, code: str) -> bool:
        """Whether the file must be mapped at all: it crosses, or it has classes that could."""
        return self._boundary.search(code) is not None or _CLASS_WITH_BASES.search(code) is not None

    def boundary_plots(self, module: Screened) -> Iterator[Plot]:
        """The plots in which a boundary call can stand."""
        for plot in module.outline.plots:
            if not plot.bare and self._boundary.search(module.code, plot.span.start, plot.span.end):
                yield plot

    def class_interest(self, module: Screened, plot: Plot) -> str | None:
        """Why the classes of a plot are worth reading: "hazard" if it holds a hazard word, "follow" if it could
        be a dataset whose attributes lead elsewhere, None if neither."""
        if plot.bare or "class" not in module.code[plot.span.start : plot.span.end]:
            return None
        if self._hazard.search(module.code, plot.span.start, plot.span.end):
            return "hazard"
        return "follow" if _DATASET_LIKE.search(module.code, plot.span.start, plot.span.end) else None


def _any_of(words: Collection[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in sorted(words)) or r"(?!)")
