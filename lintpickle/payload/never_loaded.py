"""Datasets that no loader of the program gets, and other objects that nothing gets, as far as the program shows what
becomes of them."""

from __future__ import annotations

import re

from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.payload.constructions import Constructions, outermost
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.payload.threads_only import works_in_threads_only
from lintpickle.payload.without_items import gives_no_items
from lintpickle.prefilter.words import Words
from lintpickle.program.cross_module import LIBRARY_LOADERS, OTHER_LOADERS, CrossModuleFact
from lintpickle.program.module import Module

IDLE_LOADERS: CrossModuleFact = ("loaders without workers",)
"""What modules tell of loaders of theirs that surely have none."""
UNCLEAR: CrossModuleFact = ("loads anything",)
"""What modules tell that may make workers load datasets that cannot be followed."""

_TRAINING_WORDS, _TRAINS = Words({"backward"}), re.compile(r"\.\s*backward\(")
_LOADING_WORDS = Words({"DataLoader", "GraphDataLoader", "Trainer", "data_loader", "fit", "get_data_loader", "loader"})


def is_never_loaded(crossing: Crossing, linker: LinkedProgram, constructions: Constructions) -> bool:
    """Whether no loader gets an object of the dataset's class that is the root of a crossing: the program makes such
    objects, but they give no items; nothing in a complete program with loaders makes one; all loaders with workers are
    known to get other datasets; the program gives it to nothing but functions of its own that read it; or there is no
    loader at all, and the program takes the items itself, or trains models without one."""
    value, module = outermost(crossing).value, crossing.root.site.module
    if not isinstance(value, InstanceValue) or crossing.root.is_given:
        return False
    if any(linker.is_shared(what, value.class_, module) for what in ("shipped", "entered")):
        return False
    if gives_no_items(value.class_, linker.classes) and constructions.are_there(value.class_):
        return True
    if linker.public.has(value.class_):
        return False
    has_loaders = linker.has_loaders(module)
    is_noted = linker.classes.find_method(value.class_, "__init_subclass__") is not None
    if has_loaders and not is_noted and linker.unused.is_class(value.class_):
        return True
    if not is_noted and linker.unused.is_only_called(value.class_):
        is_read = has_loaders or constructions.are_read(value.class_)
        if is_read and constructions.are_only_read(value.class_, linker.evaluator):
            return True
    if linker.cross_module.is_shared(module.path, UNCLEAR):
        return False
    if not has_loaders:
        if _trains_without_loaders(module, linker):
            return True
        if not linker.unused.is_complete(module) or not constructions.are_read(value.class_):
            return False
        if names_loaders(module, linker):
            return False
    return constructions.stay(value.class_, linker.evaluator)


def _trains_without_loaders(module: Module, linker: LinkedProgram) -> bool:
    """Whether the program around a module trains models itself (`loss.backward()`), and nothing in it names a loader
    or what may make one."""
    texts, asker = linker.first_party, module.path
    return texts.is_anywhere(_TRAINING_WORDS, asker, _TRAINS) and not texts.is_anywhere(_LOADING_WORDS, asker)


def names_loaders(module: Module, linker: LinkedProgram) -> bool:
    """Whether the program around a module has loaders, of whatever part of it, with workers or without."""
    return any(
        linker.cross_module.is_shared(module.path, kind) for kind in (LIBRARY_LOADERS, OTHER_LOADERS, IDLE_LOADERS)
    )


def is_never_sent(class_: ClassValue, linker: LinkedProgram, constructions: Constructions) -> bool:
    """Whether the program makes the objects of a class that is not made to be shipped, and only calls their methods and
    reads them: nothing gets one that may pickle it. Of a script that works in threads, nothing can."""
    module = class_.module
    if linker.classes.kind(class_) is not None or linker.users.may_ship(class_) or linker.public.is_distributed(module):
        return False
    if any(linker.is_shared(what, class_, module) for what in ("shipped", "entered", "asked first")):
        return False
    is_alone = linker.unused.is_lone_script(module)
    if is_alone and works_in_threads_only(module):
        return True
    return linker.unused.is_only_called(class_) and constructions.are_only_read(class_, linker.evaluator, is_alone)
