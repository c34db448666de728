"""Moving off fork: what in a program still depends on it, boundary by boundary. One format per file in `formats`."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Any

from lintpickle.diagnostics import LintpickleError
from lintpickle.migration.model import Migration, MigrationFormat

__all__ = ["Migration", "MigrationFormat", "migration_format", "migration_format_names"]


def migration_format_names() -> tuple[str, ...]:
    """The name of every format, sorted. Imports none of them."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).with_name("formats"))])))


def migration_format(name: str) -> MigrationFormat:
    """The format of this name. Raises `LintpickleError` for an unknown one."""
    if name not in migration_format_names():
        raise LintpickleError(f'unknown format "{name}": use one of {", ".join(migration_format_names())}')
    module: Any = importlib.import_module(f"{__name__}.formats.{name}")
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "render"):
            found: MigrationFormat = value()
            return found
    raise LintpickleError(f"{module.__name__} has no class for the format {name}: this is a bug")
