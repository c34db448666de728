"""The imports in the body of a function."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Imported, without_narrowing
from lintpickle.program.module import Module


def own_imports_of(function: FunctionFacts) -> Mapping[str, Imported]:
    """The names that a function binds by nothing but an import of its own, each with that."""
    bound = ((name, without_narrowing(value)) for name, value in function.variables.items())
    return {name: value for name, value in bound if isinstance(value, Imported)}


def first_use(name: str, imported: Imported, function: FunctionFacts, module: Module) -> Span | None:
    """Where a function uses a name first after its own import of that."""
    used = re.compile(rf"(?<![\w.]){re.escape(name)}\b")
    row = module.code.find("\n", imported.span.end)
    return outside_comments(used, module.code, row if row >= 0 else imported.span.end, function.span.end)
