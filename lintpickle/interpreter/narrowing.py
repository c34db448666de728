"""Narrowing: whether a test of a value ("is it a list?") can come out in one way for a thing."""

from __future__ import annotations

import collections
import collections.abc
import types
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lintpickle.facts.values import Collection, Narrowed, Value
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    ClassThing,
    ConstantThing,
    ContainerThing,
    DataThing,
    ExternalThing,
    FunctionThing,
    GeneratorThing,
    InstanceThing,
    ModuleThing,
    ProductThing,
    Reached,
    Thing,
)
from lintpickle.interpreter.frames import Frame

if TYPE_CHECKING:
    from lintpickle.interpreter.evaluator import Evaluator

_BUILTIN: dict[str, type] = {
    each.__name__: each
    for each in (*(bool, bytearray, bytes, complex, dict, float, frozenset, int, list, object, set, str, tuple, type),)
}
_KINDS: dict[str, type] = {
    **{name: _BUILTIN[name] for name in ("dict", "frozenset", "list", "set", "tuple")},
    "*": tuple,
    "**": dict,
    "collections.OrderedDict": collections.OrderedDict,
    "collections.deque": collections.deque,
}
"""The types of containers, by their kinds."""
_TYPES: dict[str, type] = {
    **{f"builtins.{name}": type_ for name, type_ in _BUILTIN.items()},
    **{f"collections.{each.__name__}": each for each in (collections.OrderedDict, collections.deque)},
    **{
        f"{module}.{name}": getattr(collections.abc, name)
        for module in ("collections.abc", "typing")
        for name in collections.abc.__all__
        if isinstance(getattr(collections.abc, name), type)
    },
    **{
        f"types.{name}": getattr(types, name)
        for name in ("FunctionType", "GeneratorType", "LambdaType", "NoneType")
        if hasattr(types, name)
    },
    "types.MethodType": types.MethodType,
    "types.ModuleType": types.ModuleType,
    "typing.Dict": dict,
    "typing.List": list,
    "typing.Tuple": tuple,
}
"""Types whose instances are known: those of the language, and the abstract ones."""
_DEMANDED: dict[str, tuple[str, ...]] = {
    f"{module}.{each.__name__}": tuple(sorted(each.__abstractmethods__))
    for module in ("collections.abc", "typing")
    for each in map(collections.abc.__dict__.__getitem__, collections.abc.__all__)
    if "__subclasshook__" in vars(each) and each is not collections.abc.Hashable
}
"""Abstract types of which all are instances whose classes have certain methods, by their paths. Objects are hashable by
what they do not have, too."""
_CALLABLE = _TYPES["collections.abc.Callable"]
_DATA = (bool, bytearray, bytes, complex, dict, float, frozenset, int, list, set, str, tuple)
"""Types of which no object of another kind is."""
_LIBRARIES = ("torch.nn.", "torch.Tensor", "torch.utils.", "numpy.", "pathlib.", "PIL.", "pandas.", "argparse.")
"""Of whose classes nothing of the language itself is an instance."""
_INSPECTED: dict[str, type] = {
    "isgenerator": types.GeneratorType,
    "isfunction": types.FunctionType,
    "ismethod": types.MethodType,
    "ismodule": types.ModuleType,
    "isclass": type,
}
_PLAIN_BASES = frozenset(
    {"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "torch.nn.Module", "torch.nn.modules.Module"}
    | {"torch.utils.data.Dataset", "torch.utils.data.dataset.Dataset", "threading.Thread", "builtins.Exception"}
)
"""Classes of libraries that derive from no builtin data type, nor from a class of the program."""
_BARE_BASES = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"})
"""Classes of libraries that have none of the methods that abstract types ask for."""


class Narrowing:
    """Decides tests for one evaluator."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._classes = evaluator.classes

    def allows(self, value: Narrowed, reached: Reached, frame: Frame) -> bool:
        """Whether the test may come out as it has for a thing."""
        given = self._given(value.operands, frame)
        return self.answer(value.test, given, reached.thing) in (None, value.holds)

    def answer(self, test: str, given: list[Thing], thing: Thing) -> bool | None:
        """How a test of a thing comes out (see `Narrowed`), given types, or a name; None if that is not known."""
        if thing is UNKNOWN:
            return None
        match test:
            case "isinstance":
                return self._is_any(thing, given)
            case "type":
                return self._has_type(thing, given)
            case "callable":
                return self._is_callable(thing)
            case "hasattr":
                return self._has_attribute(thing, given)
            case "true":
                return self.truth(thing)
            case _ if test in _INSPECTED:
                return self._is_a(thing, ExternalThing(_path_of(_INSPECTED[test])))
            case _:
                return None

    def truth(self, thing: Thing) -> bool | None:
        """Whether a thing is true; None if that is not known."""
        match thing:
            case ConstantThing(value=value):
                return bool(value)
            case ContainerThing(kind=kind, pieces=pieces) if kind in _KINDS:
                return True if pieces and not any("…" in piece.label for piece in pieces) else None
            case FunctionThing() | ClassThing() | GeneratorThing() | ModuleThing():
                return True
            case InstanceThing() as instance:
                is_asked = any(self._classes.find_method(instance, name) for name in ("__bool__", "__len__"))
                return None if is_asked or not self._is_known(instance) else True
            case _:
                return None

    def _given(self, operands: Iterable[Value], frame: Frame) -> list[Thing]:
        """The types, or the name, that a test is given; tuples of types taken apart."""
        found: list[Thing] = []
        for operand in operands:
            if isinstance(operand, Collection):
                found += self._given(operand.elements, frame)
                continue
            for reached in self._evaluator.evaluate(operand, frame):
                if isinstance(reached.thing, ContainerThing):
                    for piece in reached.thing.pieces:
                        found += self._given([piece.value], piece.frame)
                else:
                    found.append(reached.thing)
        return found

    def _is_any(self, thing: Thing, types_: list[Thing]) -> bool | None:
        answers = {self._is_a(thing, each) for each in types_}
        return True if True in answers else False if answers == {False} else None

    def _is_a(self, thing: Thing, type_: Thing) -> bool | None:
        if isinstance(thing, InstanceThing):
            return self._is_instance(thing, type_)
        own = _type_of(thing)
        if isinstance(type_, ClassThing):
            # An abstract class of the program may take in what it likes.
            return False if own is not None and not self._is_abstract(type_) else None
        asked = _TYPES.get(type_.path) if isinstance(type_, ExternalThing) else None
        if asked is None:
            of_library = isinstance(type_, ExternalThing) and type_.path.startswith(_LIBRARIES)
            return False if of_library and own is not None else None
        if own is not None:
            return issubclass(own, asked)
        return False if isinstance(thing, ProductThing) and asked in _DATA else None

    def _is_instance(self, instance: InstanceThing, type_: Thing) -> bool | None:
        """Whether an object of a class that is read is an instance of a type."""
        mro = self._classes.mro(instance)
        match type_:
            case ClassThing(facts=facts):
                if any(isinstance(each, ClassThing) and each.facts is facts for each in mro):
                    return True
                return False if self._is_known(instance) and not self._is_abstract(type_) else None
            case ExternalThing(path="builtins.object"):
                return True
            case ExternalThing(path=path):
                if any(isinstance(each, ExternalThing) and each.path == path for each in mro):
                    return True
                if self._is_known(instance) and _TYPES.get(path) in _DATA:
                    return False
                return self._has_methods(instance, _DEMANDED[path]) if path in _DEMANDED else None
            case _:
                return None

    def _has_methods(self, instance: InstanceThing, names: Iterable[str]) -> bool | None:
        """Whether a class has all of some methods, itself or by what it derives from; None if that is not known. One
        that a class sets to None is not there (`__hash__ = None`)."""
        mro = self._classes.mro(instance)
        is_read = bool(mro) and all(isinstance(each, ClassThing) or each.path in _BARE_BASES for each in mro)
        lines = [each.facts for each in mro if isinstance(each, ClassThing)]
        for name in names:
            owner = next((line for line in lines if name in line.methods or name in line.body), None)
            if owner is None:
                return False if is_read and not any(line.decorators or line.keywords for line in lines) else None
            if name not in owner.methods:
                return None
        return True

    def _is_known(self, instance: InstanceThing) -> bool:
        """Whether all that an object's class derives from is known."""
        mro = self._classes.mro(instance)
        return bool(mro) and all(isinstance(each, ClassThing) or each.path in _PLAIN_BASES for each in mro)

    def _is_abstract(self, class_: ClassThing) -> bool:
        """Whether a class may count objects among its instances that do not derive from it."""
        if class_.facts.keywords or any(
            name in class_.facts.methods for name in ("__instancecheck__", "__subclasshook__")
        ):
            return True
        return any(
            isinstance(each, ExternalThing) and each.path not in _PLAIN_BASES - {"abc.ABC", "typing.Protocol"}
            for each in self._classes.mro(class_)
        )

    def _has_type(self, thing: Thing, types_: list[Thing]) -> bool | None:
        """Whether the type of a thing is one of these itself."""
        if len(types_) != 1:
            return False if self._is_any(thing, types_) is False else None
        match thing, types_[0]:
            case InstanceThing(class_=class_), ClassThing(facts=facts):
                return class_.facts is facts
            case _, ExternalThing(path=path) if _type_of(thing) is not None and path in _TYPES:
                return _type_of(thing) is _TYPES[path]
            case _:
                return False if self._is_a(thing, types_[0]) is False else None

    def _is_callable(self, thing: Thing) -> bool | None:
        match thing:
            case FunctionThing() | ClassThing():
                return True
            case ContainerThing(kind="functools.partial"):
                return True
            case InstanceThing() as instance:
                found = self._classes.find_method(instance, "__call__") is not None
                return True if found else False if self._is_known(instance) and not self._is_module(instance) else None
            case _:
                own = _type_of(thing)
                return issubclass(own, _CALLABLE) if own is not None else None

    def _is_module(self, instance: InstanceThing) -> bool:
        return any(isinstance(each, ExternalThing) for each in self._classes.mro(instance))

    def _has_attribute(self, thing: Thing, given: list[Thing]) -> bool | None:
        match given:
            case [ConstantThing(value=str() as name)]:
                pass
            case _:
                return None
        if isinstance(thing, InstanceThing):
            return True if self._classes.find_method(thing, name) is not None else None
        if isinstance(thing, (ModuleThing, ExternalThing)):
            return True if self._is_described(thing, name) else None
        own = _type_of(thing)
        if own is types.FunctionType and not name.startswith("__"):
            return None  # Functions may be given attributes.
        return hasattr(own, name) if own is not None else None

    def _is_described(self, owner: ModuleThing | ExternalThing, name: str) -> bool:
        """Whether the catalog knows what a module has under a name."""
        catalog = self._evaluator.catalog
        path = f"{owner.name if isinstance(owner, ModuleThing) else owner.path}.{name}"
        return catalog.returns(path) is not None or catalog.is_hazard_or_boundary(path)


def _type_of(thing: Thing) -> type | None:
    """The type of an object of the language; None of all others."""
    match thing:
        case ConstantThing(value=value):
            return type(value)
        case ContainerThing(kind=kind):
            return _KINDS.get(kind)
        case DataThing(kind=kind):
            return _BUILTIN.get(kind)
        case GeneratorThing():
            return types.GeneratorType
        case FunctionThing(facts=facts) if facts.decorators:
            return None
        case FunctionThing(bound=bound):
            return types.FunctionType if bound is None else types.MethodType
        case ClassThing():
            return type
        case ModuleThing():
            return types.ModuleType
        case _:
            return None


def _path_of(type_: type) -> str:
    return next(path for path, each in _TYPES.items() if each is type_)
