"""A guard in a `__getattr__` against attributes that the object does not have yet."""

from __future__ import annotations

from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.syntax import source_tree


def guard_lookup(text: str, statement: int, attribute: str, me: str, name: str) -> Edit | None:
    """Raise AttributeError before the statement at an offset, while the object `me` lacks an attribute; `name` is the
    parameter that holds the name asked for. None if the statement shares its line with others."""
    source = source_tree(text)
    if source is None:
        return None
    row = source.row(statement)
    indent = source.indentation(row)
    start = source.starts[row] + len(indent)
    if start != statement:
        return None
    lines = (f'if "{attribute}" not in {me}.__dict__:', f"{source.indent}raise AttributeError({name})")
    return Edit(Span(start, start), "".join(f"{line}{source.newline}{indent}" for line in lines))
