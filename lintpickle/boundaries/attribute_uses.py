"""Whether what an object keeps in an attribute is used by its class alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.parsing.names_read import within
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module


def is_used_outside(name: str, class_: ast.ClassDef, module: Module, first_party: FirstPartyModules) -> bool:
    """Whether anything but the methods of a class of a module uses what has the name of an attribute of its objects:
    not `self.name` in a class that cannot derive from it."""
    own = source_tree(module.code)
    inside = {id(each) for each in within(class_)}
    if own is None or any(id(each) not in inside for each in _uses_in(own, name)):
        return True
    form = re.compile(rf"\.\s*{name}\b")
    for other in first_party.naming_in_text(Words({name}), module.path, form):
        source = source_tree(other.code) if other is not module else None
        is_heir = class_.name in other.code and not other.outline.binding(class_.name)
        uses = _uses_in(source, name) if source is not None else ()
        if any(is_heir or not _is_of_self(each) for each in uses):
            return True
    return False


def _uses_in(source: SourceTree, name: str) -> Iterator[ast.Attribute]:
    """The places that use an attribute of that name, of anything but a module."""
    modules = {(alias.asname or alias.name).partition(".")[0] for each in source.imports for alias in each.names}
    for node in source.nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=base)) if base in modules:
                pass
            case ast.Attribute(attr=attribute) if attribute == name:
                yield node
            case _:
                pass


def _is_of_self(used: ast.Attribute) -> bool:
    return isinstance(used.value, ast.Name) and used.value.id == "self"
