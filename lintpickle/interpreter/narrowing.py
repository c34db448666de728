"""Narrowing: whether a test of a value ("is it a list?") can come out in one way for a value."""

from __future__ import annotations

import collections
import collections.abc
import types
from collections.abc import Iterable

from lintpickle.facts.values import UNTESTED, Collection, Expr, Narrowed
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    UNKNOWN,
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    DocumentValue,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    ModuleValue,
    ProductValue,
    TracedValue,
)
from lintpickle.interpreter.fields import is_dataclass
from lintpickle.interpreter.handed_methods import HANDED
from lintpickle.interpreter.lacking import lacks, lacks_special
from lintpickle.interpreter.partials import PARTIAL
from lintpickle.interpreter.plain_bases import BARE_BASES
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import MODULE_CONTAINERS
from lintpickle.limits import TESTS

_BUILTIN: dict[str, type] = {
    each.__name__: each
    for each in (*(bool, bytearray, bytes, complex, dict, float, frozenset, int, list, object, set, str, tuple, type),)
}
_OF_COLLECTIONS: dict[str, type] = {
    each.__name__: each
    for each in (
        *(collections.OrderedDict, collections.defaultdict, collections.Counter, collections.ChainMap),
        *(collections.deque, collections.UserDict, collections.UserList),
    )
}
_KINDS: dict[str, type] = {
    **_OF_COLLECTIONS,
    **{f"collections.{name}": type_ for name, type_ in _OF_COLLECTIONS.items()},
    **{name: _BUILTIN[name] for name in ("dict", "frozenset", "list", "set", "tuple")},
    "*": tuple,
    "**": dict,
}
"""The types of containers, by their kinds."""
_TYPES: dict[str, type] = {
    **{f"builtins.{name}": type_ for name, type_ in _BUILTIN.items()},
    **{f"collections.{name}": type_ for name, type_ in _OF_COLLECTIONS.items()},
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
_IN_DOCUMENTS = (bool, bytes, dict, float, int, list, set, str, type(None))
"""Types of what is read from JSON, YAML and TOML: a set and bytes by tags of YAML."""
_LIBRARIES = (
    *("torch.nn.", "torch.Tensor", "torch.utils.", "numpy.", "pathlib.", "PIL.", "pandas.", "argparse."),
    *("multiprocessing.", "queue.", "threading."),
)
"""Whose classes have no instances but their own and those of what derives from them. None is an abstract class with
which others register, so neither a list nor an object of the program's own class is one."""
_INSPECTED: dict[str, type] = {
    "isgenerator": types.GeneratorType,
    "isfunction": types.FunctionType,
    "ismethod": types.MethodType,
    "ismodule": types.ModuleType,
    "isclass": type,
}
_MADE_BY_CALLING = {
    "generator": types.GeneratorType,
    "coroutine": types.CoroutineType,
    "async_generator": types.AsyncGeneratorType,
}
_PLAIN_BASES = (
    BARE_BASES
    | {"torch.nn.Module", "torch.nn.modules.Module", "threading.Thread", "builtins.Exception"}
    | {f"torch.utils.data.{name}" for name in ("DataLoader", "Dataset", "IterableDataset", "Sampler")}
    | {f"torch.utils.data.{name}" for name in ("dataloader.DataLoader", "dataset.Dataset", "dataset.IterableDataset")}
)
"""Classes of libraries that derive from no builtin data type, nor from a class of the program."""

_ALWAYS_TRUE = ("torch.optim.", "threading.", "logging.", "argparse.", "numpy.random.", "random.")
"""Modules of whose classes none has `__bool__` or `__len__`, but for torch's `Tensor` (measured with Python 3.11, torch
2.13 and numpy 2)."""
_TRUE_KINDS = frozenset(
    {"descriptor", "event", "file", "future", "generator", "lock", "log-handler", "logger", "module"}
)
"""Kinds of what cannot cross, none of which is ever false."""


class Narrowing:
    """Decides tests for one evaluator."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._classes = evaluator.classes

    def allows(self, value: Narrowed, traced: TracedValue, frame: Frame) -> bool:
        """Whether the test may come out as it has for a value."""
        if value.test == UNTESTED:
            self._evaluator.cuts.note(TESTS)
            return True
        given = self._given(value.operands, frame)
        return self.answer(value.test, given, traced.value) in (None, value.holds)

    def answer(self, test: str, given: list[AbstractValue], value: AbstractValue) -> bool | None:
        """How a test of a value comes out (see `Narrowed`), given types, or a name; None if that is not known."""
        if value is UNKNOWN:
            return None
        match test:
            case "isinstance":
                return self._is_any(value, given)
            case "type":
                return self._has_type(value, given)
            case "callable":
                return self._is_callable(value)
            case "hasattr":
                return self._has_attribute(value, given)
            case "true":
                return self.truth(value)
            case "is_dataclass":
                return is_dataclass(value, self._classes)
            case _ if test in _INSPECTED:
                return self._is_a(value, ExternalValue(_path_of(_INSPECTED[test])))
            case _:
                return None

    def truth(self, abstract: AbstractValue) -> bool | None:
        """Whether a value is true; None if that is not known."""
        match abstract:
            case ConstantValue(value=value):
                return bool(value)
            case ContainerValue(kind=kind, slots=slots) if kind in _KINDS:
                return True if slots and not any(slot.key == SOME_ITEM for slot in slots) else None
            case FunctionValue() | ClassValue() | GeneratorValue() | ModuleValue():
                return True
            case InstanceValue() as instance:
                is_asked = any(self._classes.find_method(instance, name) for name in ("__bool__", "__len__"))
                return None if is_asked or not self._is_known(instance) else True
            case ExternalResult(path=path) if path.startswith(_ALWAYS_TRUE) and path.rpartition(".")[2][:1].isupper():
                return True
            case ProductValue(product=product) if product.kind in _TRUE_KINDS:
                return True
            case _:
                return None

    def _given(self, operands: Iterable[Expr], frame: Frame) -> list[AbstractValue]:
        """The types, or the name, that a test is given; tuples of types taken apart."""
        found: list[AbstractValue] = []
        for operand in operands:
            if isinstance(operand, Collection):
                found += self._given(operand.elements, frame)
                continue
            for traced in self._evaluator.evaluate(operand, frame):
                if isinstance(traced.value, ContainerValue):
                    for slot in traced.value.slots:
                        found += self._given([slot.value], slot.frame)
                else:
                    found.append(traced.value)
        return found

    def _is_any(self, value: AbstractValue, types_: list[AbstractValue]) -> bool | None:
        answers = {self._is_a(value, each) for each in types_}
        return True if True in answers else False if answers == {False} else None

    def _is_a(self, value: AbstractValue, type_: AbstractValue) -> bool | None:
        if isinstance(value, InstanceValue):
            return self._is_instance(value, type_)
        if isinstance(value, DocumentValue):
            return self._is_in_document(type_)
        if _made_by(value) is not None and isinstance(type_, ExternalValue) and type_.path == _made_by(value):
            return True
        own = _type_of(value)
        if isinstance(type_, ClassValue):
            # An abstract class of the program may take in what it likes.
            return False if own is not None and not self._is_abstract(type_) else None
        asked = _TYPES.get(type_.path) if isinstance(type_, ExternalValue) else None
        if asked is None:
            of_library = isinstance(type_, ExternalValue) and type_.path.startswith(_LIBRARIES)
            return False if of_library and own is not None else None
        if own is not None:
            return issubclass(own, asked)
        is_module = isinstance(value, ContainerValue) and value.kind in MODULE_CONTAINERS
        return False if (isinstance(value, ProductValue) or is_module) and asked in _DATA else None

    def _is_in_document(self, type_: AbstractValue) -> bool | None:
        """Whether what a document says is an instance of a type, of which it is only known whether it may be."""
        match type_:
            case ClassValue():
                return None if self._is_abstract(type_) else False
            case ExternalValue(path=path) if path in _TYPES:
                return None if any(issubclass(each, _TYPES[path]) for each in _IN_DOCUMENTS) else False
            case ExternalValue(path=path) if path.startswith(_LIBRARIES):
                return False
            case _:
                return None

    def _is_instance(self, instance: InstanceValue, type_: AbstractValue) -> bool | None:
        """Whether an object of a class that is read is an instance of a type."""
        mro = self._classes.mro(instance)
        match type_:
            case ClassValue(facts=facts):
                if any(isinstance(each, ClassValue) and each.facts is facts for each in mro):
                    return True
                return False if self._is_known(instance) and not self._is_abstract(type_) else None
            case ExternalValue(path="builtins.object"):
                return True
            case ExternalValue(path=path):
                if any(isinstance(each, ExternalValue) and each.path == path for each in mro):
                    return True
                if self._is_known(instance) and (_TYPES.get(path) in _DATA or path.startswith(_LIBRARIES)):
                    return False
                return self._has_methods(instance, _DEMANDED[path]) if path in _DEMANDED else None
            case _:
                return None

    def _has_methods(self, instance: InstanceValue, names: Iterable[str]) -> bool | None:
        """Whether a class has all of some methods, itself or by what it derives from; None if that is not known. One
        that a class sets to None is not there (`__hash__ = None`)."""
        mro = self._classes.mro(instance)
        is_read = bool(mro) and all(isinstance(each, ClassValue) or each.path in BARE_BASES for each in mro)
        lines = [each.facts for each in mro if isinstance(each, ClassValue)]
        for name in names:
            owner = next((line for line in lines if name in line.methods or name in line.body), None)
            if owner is None:
                return False if is_read and not any(line.decorators or line.keywords for line in lines) else None
            if name not in owner.methods:
                return None
        return True

    def _is_known(self, instance: InstanceValue) -> bool:
        """Whether all that an object's class derives from is known."""
        mro = self._classes.mro(instance)
        return bool(mro) and all(isinstance(each, ClassValue) or each.path in _PLAIN_BASES for each in mro)

    def _is_abstract(self, class_: ClassValue) -> bool:
        """Whether a class may count objects among its instances that do not derive from it."""
        if class_.facts.keywords or any(
            name in class_.facts.methods for name in ("__instancecheck__", "__subclasshook__")
        ):
            return True
        return any(
            isinstance(each, ExternalValue) and each.path not in _PLAIN_BASES - {"abc.ABC", "typing.Protocol"}
            for each in self._classes.mro(class_)
        )

    def _has_type(self, value: AbstractValue, types_: list[AbstractValue]) -> bool | None:
        """Whether the type of a value is one of these itself."""
        if len(types_) != 1:
            return False if self._is_any(value, types_) is False else None
        match value, types_[0]:
            case InstanceValue(class_=class_), ClassValue(facts=facts):
                return class_.facts is facts
            case _, ExternalValue(path=path) if _type_of(value) is not None and path in _TYPES:
                return _type_of(value) is _TYPES[path]
            case _:
                return False if self._is_a(value, types_[0]) is False else None

    def _is_callable(self, value: AbstractValue) -> bool | None:
        match value:
            case FunctionValue() | ClassValue():
                return True
            case ContainerValue(kind=kind) if kind in (PARTIAL, HANDED):
                return True
            case DocumentValue():
                return False
            case InstanceValue() as instance:
                found = self._classes.find_method(instance, "__call__") is not None
                return True if found else False if self._is_known(instance) and not self._is_module(instance) else None
            case _:
                own = _type_of(value)
                return issubclass(own, _CALLABLE) if own is not None else None

    def _is_module(self, instance: InstanceValue) -> bool:
        return any(isinstance(each, ExternalValue) for each in self._classes.mro(instance))

    def _has_attribute(self, abstract: AbstractValue, given: list[AbstractValue]) -> bool | None:
        match given:
            case [ConstantValue(value=str() as name)]:
                pass
            case _:
                return None
        if name == "__dataclass_fields__":
            return is_dataclass(abstract, self._classes)
        if isinstance(abstract, InstanceValue):
            if self._classes.find_method(abstract, name) is not None:
                return True
            is_lacking = lacks(abstract, name, self._evaluator) or lacks_special(abstract, name, self._evaluator)
            return False if is_lacking else None
        if isinstance(abstract, (ModuleValue, ExternalValue)):
            return True if self._is_described(abstract, name) else None
        own = _type_of(abstract)
        if own is types.FunctionType and not name.startswith("__"):
            return None  # Functions may be given attributes.
        return hasattr(own, name) if own is not None else None

    def _is_described(self, owner: ModuleValue | ExternalValue, name: str) -> bool:
        """Whether the catalog knows what a module has under a name."""
        catalog = self._evaluator.catalog
        path = f"{owner.name if isinstance(owner, ModuleValue) else owner.path}.{name}"
        return catalog.returns(path) is not None or catalog.is_hazard_or_boundary(path)


def _type_of(abstract: AbstractValue) -> type | None:
    """The type of an object of the language; None of all others."""
    match abstract:
        case ConstantValue(value=value):
            return type(value)
        case ContainerValue(kind=kind):
            return _KINDS.get(kind)
        case DataValue(kind=kind):
            return _BUILTIN.get(kind)
        case GeneratorValue(kind=kind):
            return _MADE_BY_CALLING[kind]
        case FunctionValue(facts=facts) if facts.decorators:
            return None
        case FunctionValue(bound=bound):
            return types.FunctionType if bound is None else types.MethodType
        case ClassValue():
            return type
        case ModuleValue():
            return types.ModuleType
        case _:
            return None


def _made_by(value: AbstractValue) -> str | None:
    """What was called to make an object of a library: its class, or a function."""
    return value.path if isinstance(value, (ProductValue, ExternalResult)) and value.call is not None else None


def _path_of(type_: type) -> str:
    return next(path for path, each in _TYPES.items() if each is type_)
