"""How inspections are written: one output format per file here. They are found by looking."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from lintpickle.diagnostics import LintpickleError, Location
from lintpickle.saved_files.records import Inspection
from lintpickle.terminal import Style

__all__ = ["InspectionFormat", "InspectionPage", "inspection_format", "inspection_format_names"]


class InspectionPage(Struct, frozen=True):
    """What a format may know besides: where paths are shown from, and whether to colour."""

    cwd: Path
    color: bool = False

    @property
    def style(self) -> Style:
        return Style(self.color)

    def path(self, path: str) -> str:
        """A path from the working folder, if it is in there."""
        shown = Path(path)
        return str(shown.relative_to(self.cwd)) if shown.is_relative_to(self.cwd) else path

    def place(self, location: Location) -> str:
        """`path:row`, the folders above site-packages left out."""
        path = self.path(location.path)
        for installed in ("site-packages/", "dist-packages/"):
            _, found, rest = path.partition(installed)
            path = rest if found else path
        return f"{path}:{location.start.row}"


class InspectionFormat(Protocol):
    """A format. `human` ones go to a terminal and may be coloured."""

    @property
    def human(self) -> bool: ...

    def render(self, inspections: Sequence[Inspection], page: InspectionPage) -> str:
        """The whole report, ending in a newline."""


def inspection_format_names() -> tuple[str, ...]:
    """The name of every format, sorted. Imports none of them."""
    modules = pkgutil.iter_modules([str(Path(__file__).parent)])
    return tuple(sorted(module.name for module in modules if not module.name.startswith("_")))


def inspection_format(name: str) -> InspectionFormat:
    """The format of this name. Raises `LintpickleError` for an unknown one."""
    if name not in inspection_format_names():
        known = ", ".join(inspection_format_names())
        raise LintpickleError(f'unknown output format "{name}": use one of {known}')
    module: Any = importlib.import_module(f"{__name__}.{name}")
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "render"):
            found: InspectionFormat = value()
            return found
    raise LintpickleError(f"{module.__name__} has no class for the output format {name}: this is a bug")
