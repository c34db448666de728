"""Objects of modules that other modules fill when they are imported, by methods that put something into the containers
which the objects hold: `@catalog.converter("csv")`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_runs import runs_on_import
from lintpickle.analyses.main_state.main_setters import is_mentioned
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Attribute, Captured, Name, Parameter, holder_of
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, ContainerValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module


def modules_filling(owner: Owner, code: WorkerCode, linker: Linker) -> list[Module]:
    """The modules that put something, at their import, into what workers read of an object, or for `migrate` of a
    class; none if workers fill it themselves."""
    is_class = isinstance(owner.value, ClassValue) and linker.moving_to is not None
    if not isinstance(owner.value, InstanceValue) and not is_class:
        return []
    fillers = list(_fillers(owner, code, linker))
    inside = {id(each) for method in fillers for each in (method, *method.functions)}
    if any(id(each.facts) in inside for each in code.functions):
        return []
    filling: list[Module] = []
    for method in fillers:
        used = re.compile(rf"\b{re.escape(owner.name)}\s*\.\s*{re.escape(method.name)}\b")
        for module in linker.first_party.naming_in_text(Words({method.name}), code.root.site.module.path, used):
            if module is not owner.module and runs_on_import(method, module, linker):
                filling.append(module)
    return filling


def _fillers(owner: Owner, code: WorkerCode, linker: Linker) -> Iterator[FunctionFacts]:
    """The methods that fill a container that is empty at first, and of which workers read the attribute."""
    is_class = isinstance(owner.value, ClassValue)
    class_ = owner.value.class_ if isinstance(owner.value, InstanceValue) else owner.value
    line = [each for each in linker.classes.mro(class_) if isinstance(each, ClassValue)]
    methods = [each for class_ in line for each in class_.facts.methods.values() if each.name not in CONSTRUCTION]
    called = [each for each in methods if not is_class or each.decorated_by("classmethod", "staticmethod")]
    filled = [(method, attribute) for method in called for attribute in _filled(method, owner)]
    read = [(method, attribute) for method, attribute in filled if is_mentioned(attribute, code, linker)]
    empty = _empty_at_first(owner.value, linker) if read else frozenset()
    yield from dict.fromkeys(method for method, attribute in read if attribute in empty)


def _filled(method: FunctionFacts, owner: Owner) -> Iterator[str]:
    """The attributes of its object or class into which a method, or the decorator that it makes, puts something."""
    names = owner.block.names if isinstance(owner.value, ClassValue) else ()
    me = method.parameters[0].name if method.parameters else None
    for event in (event for each in (method, *method.functions) for event in each.events):
        if isinstance(event, ItemStore):
            match holder_of(event.target):
                case Attribute(base=Parameter(name=name) | Captured(name=name), name=attribute) if name == me:
                    yield attribute
                case Attribute(base=Name(name=name), name=attribute) if name in names:
                    yield attribute
                case _:
                    pass


def _empty_at_first(value: AbstractValue, linker: Linker) -> frozenset[str]:
    if isinstance(value, ClassValue):
        frame = linker.classes.body_frame(value)
        held = [(attribute, each, frame) for attribute, each in value.facts.body.items()]
    else:
        state = linker.classes.states.state(value) if isinstance(value, InstanceValue) else ()
        held = [(each.attribute, each.value, each.frame) for each in state if each.direct]
    return frozenset(
        attribute
        for attribute, each, frame in held
        for traced in linker.evaluate(each, frame)
        if isinstance(traced.value, ContainerValue) and not traced.value.slots
    )
