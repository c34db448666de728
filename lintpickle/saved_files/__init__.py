"""Saved files, read without unpickling them: which names they need, whether these exist here, and whether `torch.load`
accepts the file."""

from __future__ import annotations

import os

from lintpickle.diagnostics import LintpickleError
from lintpickle.saved_files.cures import cures_of
from lintpickle.saved_files.needs import needs_of
from lintpickle.saved_files.reading import read_saved_file
from lintpickle.saved_files.records import Inspection
from lintpickle.saved_files.surroundings import Surroundings
from lintpickle.saved_files.verdicts import verdicts_of

__all__ = ["Inspection", "Surroundings", "inspect_file"]


def inspect_file(path: str, surroundings: Surroundings) -> Inspection:
    """Inspect one saved file. Nothing in it is unpickled, and nothing that it names is imported.

    Raises `LintpickleError` if the file cannot be opened.
    """
    try:
        size, contents = read_saved_file(path)
    except OSError as error:
        raise LintpickleError(f"{path}: cannot be read: {error.strerror or error}") from None
    needs = needs_of(contents, surroundings)
    return Inspection(
        path=os.path.abspath(path),
        size=size,
        contents=contents,
        needs=needs,
        verdicts=verdicts_of(contents, needs),
        cures=cures_of(needs),
    )
