"""Output formats, one per file in `lintpickle.report.formats`, which are discovered there."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from lintpickle.diagnostics import LintpickleError, Outcome
from lintpickle.report.context import Format, ReportContext
from lintpickle.report.ordering import order_for_people, order_of_places

__all__ = ["Format", "ReportContext", "format_names", "get_format", "render"]

_FORMATS = f"{__name__}.formats"


def format_names() -> tuple[str, ...]:
    """The name of every output format, sorted. Imports none of them."""
    folder = str(Path(__file__).with_name("formats"))
    modules = pkgutil.iter_modules([folder])
    return tuple(sorted(module.name.replace("_", "-") for module in modules))


def get_format(name: str) -> Format:
    """The output format of this name. Raises `LintpickleError` for an unknown one."""
    if name not in format_names():
        raise LintpickleError(f'unknown output format "{name}": use one of {", ".join(format_names())}')
    module: Any = importlib.import_module(f"{_FORMATS}.{name.replace('-', '_')}")
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "render"):
            found: Format = value()
            return found
    raise LintpickleError(f"{module.__name__} has no class for the output format {name}: this is a bug")


def render(name: str, outcome: Outcome, context: ReportContext) -> str:
    """The outcome in the output format of this name, its findings in the order for people or that of their places.

    Raises `LintpickleError` for an unknown format.
    """
    chosen = get_format(name)
    order = order_for_people if chosen.human else order_of_places
    return chosen.render(replace(outcome, diagnostics=tuple(sorted(outcome.diagnostics, key=order))), context)
