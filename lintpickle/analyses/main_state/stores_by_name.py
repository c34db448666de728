"""Where a module may give a class of it, or objects of it, attributes under names that it does not write after a dot:
`setattr(Config, name, value)`, `vars(self).update(options)`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import names_own_class
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import UNNAMED, Expr
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue, is_indefinite
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_BY_NAME = re.compile(r"\b(?:setattr|vars)\s*\(|\.__dict__\b")


class _StoreByName(Struct, frozen=True):
    """A function that stores an attribute so; `UNNAMED` is any."""

    function: FunctionFacts
    attribute: str


def functions_storing(attribute: str, block: Block, module: Module, linker: Linker) -> Iterator[FunctionFacts]:
    """The functions and module bodies of a module that may so store an attribute of the class that a block of it
    defines, of one that is related to it, or of their objects."""
    question = ("stores by name", module.path, block.span)
    for each in linker.remembered(question, lambda: tuple(_stores(block, module, linker))):
        if each.attribute in (attribute, UNNAMED):
            yield each.function


def _stores(block: Block, module: Module, linker: Linker) -> Iterator[_StoreByName]:
    facts = module.facts_of(block)
    owners = [linker.classes.module_level(module, each) for each in facts.body.classes] if facts is not None else []
    for root in _roots(module, linker):
        stores = [each for each in root.function.events if isinstance(each, Store)]
        for store in (each for each in stores if _BY_NAME.search(module.code, each.span.start, each.span.end)):
            if any(_may_be_of(owner, store.target, root, linker) for owner in owners):
                yield _StoreByName(root.function, store.attribute)


def _roots(module: Module, linker: Linker) -> Iterator[RootFrame]:
    for block in module.outline.blocks:
        if _BY_NAME.search(module.code, block.span.start, block.span.end) is not None:
            facts = module.facts_of(block)
            yield from linker.activations.in_block(module, facts, _BY_NAME) if facts is not None else ()


def _may_be_of(owner: ClassValue, target: Expr, root: RootFrame, linker: Linker) -> bool:
    """Whether an expression may be a class, one that derives from it or from which it derives, or an object of them."""
    if root.owner is not None and names_own_class(target, root.function):
        return _is_related(owner, root.owner, linker)
    values = [traced.value for traced in linker.evaluate(target, root.frame)]
    classes = [each.class_ if isinstance(each, InstanceValue) else each for each in values]
    return any(
        _is_related(owner, each, linker) if isinstance(each, ClassValue) else is_indefinite(each) for each in classes
    )


def _is_related(first: ClassValue, second: ClassValue, linker: Linker) -> bool:
    lines = (first, linker.classes.mro(second)), (second, linker.classes.mro(first))
    return any(isinstance(each, ClassValue) and each.facts is one.facts for one, line in lines for each in line)
