"""Where the text of classes shows that something may give their objects an attribute."""

from __future__ import annotations

import re

from lintpickle.analyses.calls_and_values.hierarchies import stores_of
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.interpreter.protocols import Ancestor


def may_be_given(attribute: str, line: tuple[Ancestor, ...]) -> bool:
    """Whether the class, or what is done to it, may have an attribute that none of its methods stores: the name is that
    of a definition in the class, stands in quotes, or is assigned to on something else."""
    if any(True for _ in stores_of(line, attribute)):
        return False
    name = re.escape(attribute)
    given = re.compile(
        rf"""\.\s*{name}\s*(?:=(?!=)|:)|["']{name}["']|\b(?:def|class|import|as)\s+{name}\b|^\s+{name}\b[^=(\n]*=(?!=)""",
        re.MULTILINE,
    )
    modules = {id(each.module): each.module for each in line if isinstance(each, ClassValue)}
    return any(given.search(module.code) for module in modules.values())
