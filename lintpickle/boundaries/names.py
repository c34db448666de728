"""Names that can be a boundary, by their text, their imports and the catalog, without reading parsed blocks."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lintpickle.catalog import Catalog
from lintpickle.facts.values import Attribute, Expr, Imported, Name
from lintpickle.parsing.imports import ImportedName, imported_in
from lintpickle.parsing.names_read import names_read
from lintpickle.parsing.outline import Block
from lintpickle.prefilter.copies import copies_more
from lintpickle.prefilter.screen import IMPORT
from lintpickle.prefilter.words import Words, alone
from lintpickle.program.module import Module
from lintpickle.program.program import Program

_IMPORTING = Words({"import"})
UNFOLLOWED_KIND = "deepcopy"
"""The kind of boundary that is not followed to callers of the enclosing function, but for models: arguments passed in
to be copied are assumed to be made for it."""


class BoundaryNames:
    """`in_plot` says which names a block has; `may_be_one` is asked of what is called there."""

    def __init__(self, program: Program, catalog: Catalog) -> None:
        self._program = program
        self._catalog = catalog
        self._methods = catalog.boundary_methods()

    def in_block(self, module: Module, block: Block) -> frozenset[str]:
        """The dotted names in the text of a block that can be a boundary, or can make an object whose methods are
        boundaries."""
        names = module.facts.boundary_names(block)
        text = module.facts.text(block)
        found = [name for name in names if self._is_one(name, module)]
        if names and IMPORT.search(text):
            found += self._imported_inside(names, module, block)
        found = [name for name in found if not _is_unknown(name, module) or _stands_in_code(name, text)]
        if any(_is_unknown(name, module) for name in found):
            read = names_read(module.facts.tree(block))
            found = [name for name in found if name in read or not _is_unknown(name, module)]
        copiers = frozenset(name for name in found if self._is_copier(name, module))
        if copiers and not _copies_more(module, block, copiers):
            return frozenset(found) - copiers
        return frozenset(found)

    def are_functions(self, names: Collection[str], module: Module) -> bool:
        """Whether the module's imports show that all names are functions that pickle."""
        return all(self._catalog.is_pickling_function(_path(name, module)) for name in names)

    def are_copiers(self, names: Collection[str], module: Module) -> bool:
        """Whether the module's imports show that all names are functions that are not followed to callers."""
        return all(self._is_copier(name, module) for name in names)

    def _is_copier(self, name: str, module: Module) -> bool:
        """Whether the name is, by the imports of the module, a function that is not followed to the callers of the one
        in which it is called."""
        path = _path(name, module)
        boundary = self._catalog.boundary(path)
        return boundary is not None and boundary.kind == UNFOLLOWED_KIND and self._catalog.is_pickling_function(path)

    def _imported_inside(self, names: Collection[str], module: Module, block: Block) -> Iterator[str]:
        """Those of the names that can be a boundary by an import in a function of the block, and names that such an
        import gives to a boundary."""
        for alias, imported in imported_in(module.facts.tree_holding(block, _IMPORTING)):
            if self._may_be_called(imported, "", module):
                yield alias
            for name in names:
                head, _, rest = name.partition(".")
                if head == alias and self._may_be_called(imported, rest, module):
                    yield name

    def _is_one(self, name: str, module: Module) -> bool:
        head, _, rest = name.partition(".")
        if imported := module.outline.importing(head):
            return any(self._may_be_called(each, rest, module) for each in imported)
        blocks = module.outline.binding(head)
        if head == "()" or any(_is_class_or_value(block, head) for block in blocks) or _is_unknown(name, module):
            return True
        last = rest.rpartition(".")[2]
        return not blocks and (last in self._methods or self._may_be_of_star(last, module))

    def _may_be_of_star(self, last: str, module: Module) -> bool:
        """Whether a dotted name whose head the module does not bind can be a boundary by a star import of the
        program's own (`from helpers import *`, which imports torch, and `torch.save`)."""
        return last in self._catalog.boundary_words() and any(
            star.level > 0 or self._program.file_of(star.module.partition(".")[0], module) is not None
            for star in module.outline.stars
        )

    def _may_be_called(self, imported: ImportedName, rest: str, module: Module) -> bool:
        """A known path is looked up in the catalog; for a name of the program's own, its last component must do."""
        path = imported.path(rest)
        if imported.level == 0 and self._catalog.starts_boundary(path):
            return True
        last = path.rpartition(".")[2]
        if not any(word in last for word in self._catalog.boundary_words()):
            return False
        return imported.level > 0 or self._program.file_of(path.partition(".")[0], module) is not None

    def may_be_one(self, function: Expr, module: Module) -> bool:
        """Whether the callee can be a boundary, by its form, without reading parsed blocks."""
        match function:
            case Name(name=name):
                if imported := module.outline.importing(name):
                    return any(self._may_be_called(each, "", module) for each in imported)
                blocks = module.outline.binding(name)
                return (
                    any(_is_class_or_value(block, name) for block in blocks) if blocks else bool(module.outline.stars)
                )
            case Imported(target=target):
                return self._may_be_called(target, "", module)
            case Attribute(name=name):
                return name in self._methods or name == "__init__" or name in self._catalog.boundary_words()
            case _:
                return True


def _path(name: str, module: Module) -> str:
    """The path of a dotted name that an import alone binds in the module; "" if there is none."""
    head, _, rest = name.partition(".")
    imported = module.outline.importing(head)
    if len(imported) != 1 or imported[0].level or module.outline.binding(head):
        return ""
    return imported[0].path(rest)


def _copies_more(module: Module, block: Block, copiers: frozenset[str]) -> bool:
    """See `lintpickle.prefilter.copies`; methods in which no copier stands are left out."""
    tree = module.facts.tree_holding(block, Words({name.rpartition(".")[2] for name in copiers}))
    local = {alias for alias, _ in imported_in(tree)}
    return any(name.partition(".")[0] in local for name in copiers) or copies_more(tree, copiers)


def _stands_in_code(name: str, text: str) -> bool:
    """Whether what follows a name at one place, at least, is not what follows a word of a sentence."""
    return re.search(rf"{alone(name)}\s*(?:[(,)\]=]|$)", text, re.MULTILINE) is not None


def _is_unknown(name: str, module: Module) -> bool:
    """Whether a plain name is neither imported nor bound at module level: a parameter, a local import, or a word of a
    comment."""
    return name.isidentifier() and name not in module.outline.imports and not module.outline.binding(name)


def _is_class_or_value(block: Block, name: str) -> bool:
    """Whether the block binds the name to something other than a function."""
    return any(header.name == name for header in block.classes) or not block.defines_function
