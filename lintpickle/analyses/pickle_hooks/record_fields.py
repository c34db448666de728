"""What a module puts into the fields of its own named tuples."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Expr, Name
from lintpickle.program.module import Module

_NAMED_TUPLE = re.compile(r"^[ \t]*(\w+)[ \t]*=[ \t]*(?:collections\.)?namedtuple\(([^()]*)\)", re.MULTILINE)
_FIELD = re.compile(r"[^\W\d]\w*")


def put_into_field(name: str, module: Module) -> Iterator[Expr]:
    """What calls of the module give to the fields of a name that named tuples have which it defines."""
    for record, index in _records_with(name, module):
        making = re.compile(rf"\b{re.escape(record)}\(")
        for function in functions_of(module, making, lambda facts: True):
            for event in function.events:
                if isinstance(event, Called) and isinstance(event.call.function, (Attribute, Name)):
                    given = event.call.positional() or ()
                    value = event.call.keyword(name) or (given[index] if index < len(given) else None)
                    if event.call.function.name == record and value is not None:
                        yield value


def _records_with(name: str, module: Module) -> Iterator[tuple[str, int]]:
    """The named tuples that have a field of a name, each with its place among the fields."""
    for found in _NAMED_TUPLE.finditer(module.code):
        _, *fields = _FIELD.findall(found[2])
        if name in fields:
            yield found[1], fields.index(name)
