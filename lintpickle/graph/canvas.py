"""The interface of graph formats: what a format is, and what it may know beside the graph."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from lintpickle.graph.model import Graph, GraphPlace
from lintpickle.terminal import Style


class Canvas(Struct, frozen=True):
    """`cwd` is where paths are shown from. `everything` unfolds what holds no hazard. `unicode` allows lines and
    marks beyond ASCII in text."""

    cwd: Path
    everything: bool = False
    color: bool = False
    unicode: bool = True

    @property
    def style(self) -> Style:
        return Style(self.color)

    def place(self, place: GraphPlace) -> str:
        """`path:row` from the working folder, the folders above site-packages left out."""
        path = Path(place.path)
        shown = os.path.relpath(path, self.cwd) if path.is_relative_to(self.cwd) else str(path)
        for installed in ("site-packages", "dist-packages"):
            _, found, rest = shown.partition(f"{installed}{os.sep}")
            if found:
                shown = f"…{os.sep}{rest}" if self.unicode else rest
        return f"{shown}:{place.row}"


class GraphFormat(Protocol):
    """A format. `human` ones go to a terminal and may be coloured."""

    @property
    def name(self) -> str: ...

    @property
    def human(self) -> bool: ...

    def render(self, graph: Graph, canvas: Canvas) -> str:
        """The whole picture, ending in a newline."""
