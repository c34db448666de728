"""Notebooks from which nbdev writes modules: what their marked cells define is used from there."""

from __future__ import annotations

import re

from lintpickle.interpreter.abstract_values import Site

_EXPORTED = re.compile(r"^#[ \t]*\|?[ \t]*export[is]?\b", re.MULTILINE)


def is_used_elsewhere(definition: Site, start: Site) -> bool:
    """Whether what a cell defines goes to a module, and the notebook itself never comes to a place: it stands in a
    function, or a class, that goes there, too."""
    block = start.module.outline.block_at(start.span.start)
    is_run_here = block is None or not (block.defines_function or block.is_class)
    return not is_run_here and _is_exported(definition) and _is_exported(start)


def _is_exported(place: Site) -> bool:
    document = place.module.document
    around = (cell.span for cell in document.cells or () if cell.span.start <= place.span.start < cell.span.end)
    return any(_EXPORTED.search(document.text, cell.start, cell.end) is not None for cell in around)
