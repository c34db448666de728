"""Which classes make fields of their objects by a function: `field(default_factory=make)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import ending_name
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_LAMBDA = "<lambda>"
_DEFAULT = "default"
_GIVEN = r"(?:factory[ \t]*=|Factory\()[ \t]*(?:\w+\.)*{}\b(?!\()"


def classes_made_with(function: FunctionFacts, module: Module, linker: Linker, asker: str) -> frozenset[str]:
    """The names of the classes whose fields a function makes, and of those that derive from them."""
    found = frozenset(_named(function, module, linker, asker))
    return found.union(*(linker.aliases.derived(each, asker) for each in found))


def _named(function: FunctionFacts, module: Module, linker: Linker, asker: str) -> Iterator[str]:
    if function.name == _LAMBDA or any(ending_name(each) == _DEFAULT for each in function.decorators):
        block = module.outline.block_at(function.span.start)
        yield from block.names if block is not None and block.is_class else ()
        return
    form = re.compile(_GIVEN.format(re.escape(function.name)))
    for other in linker.first_party.naming_in_text(Words({function.name}), asker, form):
        blocks = (other.outline.block_at(found.start()) for found in form.finditer(other.code))
        yield from (name for block in blocks if block is not None and block.is_class for name in block.names)
