"""Containers in bodies of classes that methods fill by way of an object: a file to which that is pickled has none of
them.

Measured with CPython 3.11 and torch 2.13, for `pickle.dump` and `torch.save`: another process or run that loads the
object finds the container as the class has it at import, whatever its methods had put there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.analyses.lost_changes.worker_changes import is_cache
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.facts.records import FunctionFacts, ItemStore
from lintpickle.facts.values import Attribute, Call, Collection, Expr, Mapping, Name, holder_of
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue, Site
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_MAKERS = frozenset({"dict", "list", "set", "OrderedDict", "defaultdict", "Counter"})
_LOADS = re.compile(r"\b(?:torch|pickle|joblib|cloudpickle|dill)\.load\s*\(")
_HOOKS = ("__getstate__", "__setstate__", "__reduce__", "__reduce_ex__", "__getnewargs__", "__getnewargs_ex__")


class ClassContainer(Struct, frozen=True):
    """A container of a class, the place where a method of that fills it, and the method that reads it."""

    class_: ClassValue
    name: str
    filled: Site
    filler: str
    reader: str


def class_containers_filled(value: InstanceValue, asker: str, linker: Linker) -> Iterator[ClassContainer]:
    """The containers of the classes of an object which the program fills and reads by it; not those that only save
    time, nor what constructors note there."""
    classes = [each for each in linker.classes.mro(value) if isinstance(each, ClassValue) and each.module.first_party]
    if any(linker.classes.find_method(value, hook) is not None for hook in _HOOKS):
        return
    for class_ in classes:
        names = [name for name, given in class_.facts.body.items() if _is_container(given)]
        if names and not any(each.attribute in names for each in linker.classes.states.state(value)):
            for name in names:
                found = _filled(class_, name, asker, linker)
                if found is not None:
                    yield found


def is_loaded(asker: str, linker: Linker) -> bool:
    """Whether code of the program loads a file of that kind."""
    return linker.first_party.is_anywhere(Words({"load"}), asker, _LOADS)


def _is_container(value: Expr) -> bool:
    match value:
        case Collection(kind="list" | "set") | Mapping():
            return True
        case Call(function=Name(name=name)):
            return name in _MAKERS
        case _:
            return False


def _filled(class_: ClassValue, name: str, asker: str, linker: Linker) -> ClassContainer | None:
    methods = class_.facts.methods.values()
    fillings = [(method, event) for method in methods for event in method.events if _fills(event, name, method)]
    fillers = {id(method) for method, _ in fillings}
    for method, _ in fillings:
        if method.name in CONSTRUCTION or is_cache((method.parameters[0].name, name), class_.module, method.span):
            return None
    readers = [each.name for each in methods if id(each) not in fillers and _reads(name, each, class_)]
    reader = next((each for each in readers if _is_called(each, asker, linker)), None) if fillings else None
    called = next((each for each in fillings if reader is not None and _is_called(each[0].name, asker, linker)), None)
    if called is None or reader is None:
        return None
    method, event = called
    return ClassContainer(class_, name, Site(class_.module, event.span), method.name, reader)


def _fills(event: object, name: str, method: FunctionFacts) -> bool:
    """Whether a method puts something into what its object has of the class."""
    match event:
        case ItemStore(target=target):
            inner = holder_of(target)
            return isinstance(inner, Attribute) and inner.name == name and is_me(inner.base, method)
        case _:
            return False


def _reads(name: str, method: FunctionFacts, class_: ClassValue) -> bool:
    if not method.parameters:
        return False
    read = re.compile(rf"(?<![\w.]){re.escape(method.parameters[0].name)}\.{re.escape(name)}\b")
    return read.search(class_.module.code, method.span.start, method.span.end) is not None


def _is_called(name: str, asker: str, linker: Linker) -> bool:
    """Whether code of the program calls a method of that name, or Python does."""
    if name.startswith("__"):
        return name != "__len__"
    form = re.compile(rf"\.\s*{re.escape(name)}\b")
    return linker.first_party.is_anywhere(Words({name}), asker, form)
