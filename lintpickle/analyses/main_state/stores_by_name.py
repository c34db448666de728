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
    """A function that stores an attribute so; `UNNAMED` is any. Not `on_class` if only objects get it."""

    function: FunctionFacts
    attribute: str
    on_class: bool


def functions_storing(attribute: str, block: Block, module: Module, linker: Linker) -> Iterator[FunctionFacts]:
    """The functions and module bodies of a module that may so store an attribute of the class that a block of it
    defines, of one that is related to it, or of their objects."""
    yield from (each.function for each in _storing(attribute, block, module, linker))


def functions_storing_on_class(attribute: str, block: Block, module: Module, linker: Linker) -> Iterator[FunctionFacts]:
    """Those of them that may store it on a class itself, rather than on objects alone."""
    yield from (each.function for each in _storing(attribute, block, module, linker) if each.on_class)


def _storing(attribute: str, block: Block, module: Module, linker: Linker) -> Iterator[_StoreByName]:
    question = ("stores by name", module.path, block.span)
    for each in linker.remembered(question, lambda: tuple(_stores(block, module, linker))):
        if each.attribute in (attribute, UNNAMED):
            yield each


def _stores(block: Block, module: Module, linker: Linker) -> Iterator[_StoreByName]:
    facts = module.facts_of(block)
    owners = [linker.classes.module_level(module, each) for each in facts.body.classes] if facts is not None else []
    for root in _roots(module, linker):
        stores = [each for each in root.function.events if isinstance(each, Store)]
        for store in (each for each in stores if _BY_NAME.search(module.code, each.span.start, each.span.end)):
            on_class = [each for owner in owners for each in _things_stored_on(owner, store.target, root, linker)]
            if on_class:
                yield _StoreByName(root.function, store.attribute, any(on_class))


def _roots(module: Module, linker: Linker) -> Iterator[RootFrame]:
    for block in module.outline.blocks:
        if _BY_NAME.search(module.code, block.span.start, block.span.end) is not None:
            facts = module.facts_of(block)
            yield from linker.activations.in_block(module, facts, _BY_NAME) if facts is not None else ()


def _things_stored_on(owner: ClassValue, target: Expr, root: RootFrame, linker: Linker) -> Iterator[bool]:
    """What an expression may be: a class, one that derives from it or from which it derives (True), or an object of
    them (False)."""
    if root.owner is not None and names_own_class(target, root.function):
        if _is_related(owner, root.owner, linker):
            yield True
        return
    for value in (traced.value for traced in linker.evaluate(target, root.frame)):
        class_ = value.class_ if isinstance(value, InstanceValue) else value
        if _is_related(owner, class_, linker) if isinstance(class_, ClassValue) else is_indefinite(class_):
            yield not isinstance(value, InstanceValue)


def _is_related(first: ClassValue, second: ClassValue, linker: Linker) -> bool:
    derives = linker.classes.derives
    return derives(first, second) or derives(second, first)
