"""Pictures of what crosses each boundary: one output format per file in `lintpickle.graph.formats`."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Any

from lintpickle.diagnostics import LintpickleError
from lintpickle.graph.canvas import Canvas, GraphFormat
from lintpickle.graph.model import Graph

__all__ = ["Canvas", "Graph", "GraphFormat", "graph_format", "graph_format_names"]


def graph_format_names() -> tuple[str, ...]:
    """The name of every format, sorted. Imports none of them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).with_name("formats"))])))


def graph_format(name: str) -> GraphFormat:
    """The format of this name. Raises `LintpickleError` for an unknown one."""
    if name not in graph_format_names():
        raise LintpickleError(f'unknown format "{name}": use one of {", ".join(graph_format_names())}')
    module: Any = importlib.import_module(f"{__name__}.formats.{name}")
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "render"):
            found: GraphFormat = value()
            return found
    raise LintpickleError(f"{module.__name__} has no class for the format {name}: this is a bug")
