"""Calls of methods that mean the same on whatever object they are called: views of mappings, and modules that return
themselves."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.facts.values import (
    UNNAMED,
    Argument,
    Attribute,
    Call,
    Expr,
    Item,
    Name,
    Parameter,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    PLAIN,
    UNKNOWN,
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    Doubt,
    ExternalResult,
    ExternalValue,
    Frame,
    InstanceValue,
    ModuleValue,
    ProductValue,
    Site,
    Slot,
    SlotKey,
    SuperValue,
    TracedValue,
)
from lintpickle.interpreter.fields import RECORDS
from lintpickle.interpreter.items import keys_of
from lintpickle.interpreter.object_dicts import fields_of
from lintpickle.interpreter.own_items import as_read
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.slots import DICTS, MODULE_CONTAINERS, MODULE_KINDS, is_mapping, kept, one_of
from lintpickle.interpreter.stores import changed
from lintpickle.prefilter.forms import VIEW_METHODS

_OF_COLLECTIONS = frozenset({"OrderedDict", "UserDict", "ChainMap", "Counter", "defaultdict"})
"""Kinds of mappings by their names in `collections`."""

ARRAYS = frozenset({"numpy.ndarray", "numpy.recarray", "numpy.matrix", "numpy.ma.MaskedArray"})
_ELEMENTWISE = frozenset({"__mul__", "__rmul__", "__truediv__", "__sub__", "__pow__"})
"""Operators that give an array of the class of their operand."""
_OF_EXCEPTIONS = "with_traceback"
"""The method of exceptions that gives the exception itself."""
_END_OF_PARAMETERS = re.compile(r"\)\s*(?:->[^\n]*)?:")
_SOURCE = SlotKey(attribute="source")
"""The slot of an object on which a method was called that gave another one around it."""


class MethodCalls:
    """Evaluates such calls for one evaluator."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._catalog = evaluator.catalog
        self._classes = evaluator.classes

    def view(self, call: Call, frame: Frame) -> AbstractValue | None:
        """`d.keys()` and its kind, unless the receiver is known to be something with other views."""
        if call.arguments or not isinstance(call.function, Attribute) or call.function.name not in VIEW_METHODS:
            return None
        receiver: str | None = None
        for traced in self._evaluator.evaluate(call.function.base, frame):
            match traced.value:
                case InstanceValue() | ModuleValue() | ClassValue() | SuperValue() as known:
                    if not self._classes.is_mapping(known):
                        return None
                case ProductValue(path=path):
                    product = self._catalog.method_product(path, call.function.name)
                    return ProductValue(product, path, call, frame) if product else None
                case ExternalResult(path=path):
                    receiver = path
                case ExternalValue(path=path) if path.startswith(("os.environ",)):
                    receiver = path
                case ContainerValue(kind=kind) if "." in kind or kind in _OF_COLLECTIONS:
                    receiver = kind if "." in kind else f"collections.{kind}"
                case _:
                    if self._is_annotated_otherwise(call.function.base, frame):
                        return None
        product = self._catalog.view_product(receiver, call.function.name)
        return ProductValue(product, f"{receiver or 'dict'}.{call.function.name}", call, frame) if product else None

    def _is_annotated_otherwise(self, value: Expr, frame: Frame) -> bool:
        """Whether something is a parameter that is annotated with a class of the program which is no mapping."""
        if not isinstance(value, Parameter) or value.owner != frame.function.qualname:
            return False
        code, start = frame.module.code, frame.function.header.end
        end = _END_OF_PARAMETERS.search(code, start, frame.function.span.end)
        form = re.compile(rf"(?<![\w.]){re.escape(value.name)}\s*:\s*[\"']?(\w+)[\"']?\s*[,)=]")
        named = form.search(code, start, end.end() if end is not None else start)
        annotated = self._evaluator.evaluate(Name(value.span, named[1]), frame) if named is not None else ()
        classes = [each.value for each in annotated if isinstance(each.value, ClassValue)]
        return any(not self._classes.is_mapping(InstanceValue(each)) for each in classes)

    def got(self, call: Call, frame: Frame, site: Site) -> list[TracedValue]:
        """What `d.get(key, default)` and `d.pop` give of a dict that is known; nothing if that is not known."""
        match call.function, call.positional():
            case Attribute(base=base, name="get" | "pop" as method), (key, *rest) if len(rest) < 2:
                pass
            case _:
                return []
        owners = self._evaluator.evaluate(base, frame)
        mappings = [as_read(traced, method, self._evaluator).value for traced in owners]
        if not _are_one_mapping(mappings, has_default=method == "get" or bool(rest)):
            return []
        found = list(self._evaluator.item(Item(call.span, base, key), frame, site))
        keys = frozenset(keys_of(key, frame, self._evaluator))
        if keys and all(isinstance(each, ContainerValue) and keys <= _keys_in(each) for each in mappings):
            return found
        given = self._evaluator.evaluate(rest[0], frame) if rest else ()
        if not found:
            return list(given)
        none = (TracedValue(ConstantValue(None), site),) if method == "get" and not rest else ()
        return list(one_of((*found, *given, *none)))

    def asked(self, call: Call, frame: Frame, site: Site) -> list[TracedValue] | None:
        """What `next(iterator)` gives, `getattr(value, "name", default)` and `container.copy()`; None if the call is
        another one."""
        match call:
            case Call(function=Attribute(base=base, name="copy"), arguments=()):
                originals = self._evaluator.evaluate(base, frame)
                copies = (_copy_of(as_read(each, "copy", self._evaluator), call) for each in originals)
                return [copy for each in copies for copy in each] or None
            case Call(function=Attribute(base=base, name="_asdict"), arguments=()):
                if not any(self._is_named_tuple(each.value) for each in self._evaluator.evaluate(base, frame)):
                    return None
                return list(fields_of(base, frame, site, self._evaluator)) or None
            case Call(function=Attribute(base=base, name="_replace")):
                records = self._evaluator.evaluate(base, frame)
                return [
                    changed(each, call, base, frame) for each in records if self._is_named_tuple(each.value)
                ] or None
            case Call(function=Attribute(base=base, name=name)) if name in _ELEMENTWISE:
                operands = self._evaluator.evaluate(base, frame)
                return [
                    replace(each, value=InstanceValue(each.value.class_), site=site)
                    for each in operands
                    if isinstance(each.value, InstanceValue) and self._is_array(each.value, name)
                ] or None
            case Call(function=Attribute(name="view")) if (class_ := call.argument("type", 0)) is not None:
                return [
                    replace(each, value=InstanceValue(each.value), site=site)
                    for each in self._evaluator.evaluate(class_, frame)
                    if isinstance(each.value, ClassValue) and self._is_array_class(each.value)
                ] or None
            case Call(function=Name(name="next"), arguments=(Argument(value=iterator, star=""), *_)):
                element = Item(iterator.span, iterator, None)
                return [] if self._is_defined("next", frame) else list(self._evaluator.item(element, frame, site))
            case Call(
                function=Name(name="getattr"),
                arguments=(Argument(value=owner), Argument(value=key), *rest),
            ) if len(rest) < 2 and not self._is_defined("getattr", frame):
                names = [traced.value for traced in self._evaluator.evaluate(key, frame)]
                found = [
                    result.by_way_of(each)
                    for each in self._evaluator.evaluate(owner, frame)
                    for name in self._names_of(names, each.value)
                    for result in self._evaluator.attribute(each, name, site, frame)
                ]
                if len(names) > 1 or not isinstance(names[0], ConstantValue):
                    found = list(one_of(found))
                if not found and self._is_constant_of_library(owner, key, frame):
                    found = [TracedValue(PLAIN, site)]
                default = self._evaluator.evaluate(rest[0].value, frame) if rest else ()
                found = found or [TracedValue(UNKNOWN, site)]
                return [*found, *(each.doubted(Doubt.DEFAULT) for each in default)]
            case _:
                return None

    def _is_constant_of_library(self, owner: Expr, key: Expr, frame: Frame) -> bool:
        """Whether `getattr` asks a module of the standard library for a name in capitals: `getattr(logging,
        level.upper())`. Of 3,200 such names in CPython 3.11 and 3.13, all pickle but `socket.CAPI` and codes of `re`
        that are no part of its interface."""
        owners = [traced.value for traced in self._evaluator.evaluate(owner, frame)]
        are_modules = all(isinstance(each, ModuleValue) and each.name in sys.stdlib_module_names for each in owners)
        names = options_of(key) if owners and are_modules else ()
        return bool(names) and all(_is_in_capitals(each, frame, self._evaluator) for each in names)

    def _names_of(self, names: list[AbstractValue], owner: AbstractValue) -> Iterator[str]:
        """The names of attributes that texts can be: of a text of which only the start or the end is known, those of
        the methods that fit."""
        for name in names:
            match name:
                case ConstantValue(value=str() as known):
                    yield known
                case _ if isinstance(owner, ProductValue):
                    yield UNNAMED  # Of some kinds, whatever they have is such a product.
                case DataValue(kind="str", start=start, end=end) if start or end:
                    for ancestor in self._classes.mro(owner):
                        methods = ancestor.facts.methods if isinstance(ancestor, ClassValue) else ()
                        yield from (each for each in methods if each.startswith(start) and each.endswith(end))
                case _:
                    pass

    def _is_array(self, instance: InstanceValue, operator: str) -> bool:
        """Whether it is an array of a class of the program's own: what an operator gives is of that class, too, unless
        the class says otherwise (NumPy 2.4)."""
        hooks = (operator, "__array_ufunc__", "__array_wrap__", "__array_priority__")
        is_array = self._is_array_class(instance.class_)
        return is_array and not any(self._classes.defines(instance, each) for each in hooks)

    def _is_array_class(self, class_: ClassValue) -> bool:
        return any(isinstance(each, ExternalValue) and each.path in ARRAYS for each in self._classes.mro(class_))

    def _is_named_tuple(self, value: AbstractValue) -> bool:
        line = self._classes.mro(value) if isinstance(value, InstanceValue) else ()
        return any(isinstance(each, ExternalValue) and each.path in RECORDS for each in line)

    def _is_defined(self, name: str, frame: Frame) -> bool:
        """Whether the module has something of its own under the name of a builtin."""
        return bool(frame.module.outline.binding(name) or frame.module.outline.importing(name))

    def chained(self, call: Call, frame: Frame, site: Site) -> Iterator[TracedValue]:
        """What a method gives that keeps its receiver and its arguments (`dataset.map(f)` of webdataset)."""
        function = call.function
        if not isinstance(function, Attribute) or function.name not in self._catalog.keeping_methods():
            return
        for receiver in self._evaluator.evaluate(function.base, frame):
            holder = self.kept_with(receiver.value, function.name, function.base, call, frame)
            if holder is not None:
                yield TracedValue(holder, site).by_way_of(receiver)

    def kept_with(
        self, receiver: AbstractValue, method: str, base: Expr, call: Call, frame: Frame
    ) -> ContainerValue | None:
        """The object that holds a receiver and what its method is given, if the method makes one."""
        match receiver:
            case ExternalResult(path=owner) | ContainerValue(kind=owner):
                if self._catalog.method_converter(owner, method) != "keep":
                    return None
                slots = (Slot(_SOURCE, base, frame), *kept(call, frame))
                return ContainerValue(self._catalog.method_returns(owner, method) or owner, slots, call)
            case _:
                return None

    def returned_receivers(self, function: Expr, frame: Frame) -> list[TracedValue]:
        """The objects that a method of theirs returns again: modules (`module.to(...)`), what `with` enters, and
        exceptions that get a traceback."""
        if isinstance(function, Attribute) and function.name == "__enter__":
            receivers = self._evaluator.evaluate(function.base, frame)
            return [each for each in receivers if isinstance(each.value, ProductValue)]
        if not isinstance(function, Attribute):
            return []
        if function.name == _OF_EXCEPTIONS:
            receivers = self._evaluator.evaluate(function.base, frame)
            return [each for each in receivers if self._is_exception(each.value)]
        if self._catalog.method_converter("module", function.name) != "self":
            return []
        receivers = self._evaluator.evaluate(function.base, frame)
        return [each for each in receivers if self._inherits_from_library(each.value, function.name)]

    def _is_exception(self, value: AbstractValue) -> bool:
        """Whether it is an exception of the program that has this method from its builtin base class."""
        line = self._classes.mro(value) if isinstance(value, InstanceValue) else ()
        paths = [each.path for each in line if isinstance(each, ExternalValue)]
        return self._classes.find_method(value, _OF_EXCEPTIONS) is None and any(map(_is_builtin_exception, paths))

    def _inherits_from_library(self, value: AbstractValue, method: str) -> bool:
        """Whether the value is a torch module that does not define the method itself."""
        match value:
            case InstanceValue():
                is_module = self._classes.kind(value) in MODULE_KINDS
                return is_module and self._classes.find_method(value, method) is None
            case ExternalResult(path=path):
                return self._catalog.kind_of_class(path) in MODULE_KINDS
            case ContainerValue(kind=kind):
                return kind in MODULE_CONTAINERS
            case _:
                return False


def _is_builtin_exception(path: str) -> bool:
    class_ = getattr(builtins, path.removeprefix("builtins."), None)
    return isinstance(class_, type) and issubclass(class_, BaseException)


def _are_one_mapping(values: list[AbstractValue], has_default: bool) -> bool:
    """Whether values are mappings, or what has been put into one since it was made (known as lists of that): of that,
    one asks for a default only if it is a mapping."""
    kinds = [each.kind if isinstance(each, ContainerValue) else "" for each in values]
    are_mappings = [is_mapping(kind) for kind in kinds]
    if has_default and any(are_mappings):
        return all(is_one or kind == "list" for is_one, kind in zip(are_mappings, kinds, strict=True))
    return all(are_mappings)


def _keys_in(mapping: ContainerValue) -> frozenset[SlotKey]:
    return frozenset(slot.key for slot in mapping.slots)


def _copy_of(original: TracedValue, call: Call) -> Iterator[TracedValue]:
    """The same items in a container of its own, if the original is one that can copy itself."""
    made = original.value
    if isinstance(made, ContainerValue) and (made.kind in DICTS or made.kind in ("list", "set", "deque")):
        yield replace(original, value=replace(made, call=call))


def _is_in_capitals(text: Expr, frame: Frame, evaluator: Interpreter) -> bool:
    """Whether a text surely is in capitals, or begins with some: `level.upper()`, `f"SIG{name}"`."""
    match without_narrowing(text):
        case Call(function=Attribute(name="upper"), arguments=()):
            return True
        case value:
            found = [traced.value for traced in evaluator.evaluate(value, frame)]
            return bool(found) and all(isinstance(each, DataValue) and each.start.isupper() for each in found)
