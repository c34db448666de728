"""Which expressions are arrays or numbers of NumPy: those that its functions make, and what is computed from them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.given_values import given_by_attribute
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.written_files.table_columns import ALWAYS_NUMBERS, OF_COLUMNS, is_column
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Expr,
    Item,
    Name,
    Parameter,
    Sum,
    before_puts,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    ConstantValue,
    ContainerValue,
    ExternalValue,
    Frame,
    FunctionValue,
    PlainValue,
    is_indefinite,
)
from lintpickle.limits import COMPUTED
from lintpickle.payload.linker import Linker

_ARRAYS = re.compile(
    r"append|arange|argsort|array|asarray|ascontiguousarray|column_stack|concatenate|copy|corrcoef|cov|cumsum|diag|diff|"
    r"empty|empty_like|eye|frombuffer|fromiter|full|full_like|genfromtxt|hstack|identity|linspace|loadtxt|logical_and|"
    r"logical_not|logical_or|logical_xor|logspace|ones|ones_like|random\.get_state|random\.permutation|random\.rand|"
    r"random\.randn|repeat|sort|stack|tile|unique|vstack|zeros|zeros_like"
)
_SCALARS = re.compile(r"bool_|float16|float32|float64|int16|int32|int64|int8|uint8")
_REDUCTIONS = re.compile(
    r"amax|amin|argmax|argmin|average|max|mean|median|min|nanmax|nanmean|nanmin|nanstd|percentile|prod|quantile|std|"
    r"sum|var"
)
"""Functions that return a scalar for a whole array, and an array if an axis is given."""
_OF_EACH = re.compile(r"abs|absolute|around|cbrt|exp|expm1|log|log10|log1p|log2|round|sqrt|square")
"""Functions that return what they are given: a scalar for one, an array for another one."""
_AXIS_BEHIND = {"percentile": 2, "quantile": 2}
"""The position of the axis argument, where it is not the second."""
_METHODS = re.compile(r"argmax|argmin|max|mean|min|prod|std|sum|var")
"""Methods of arrays that are such reductions."""
_OPERATORS = re.compile(r"__r?(?:add|sub|mul|truediv|pow)__")
_COMPUTED_WITH = (ConstantValue, PlainValue, ContainerValue)


class NumpyValue(Struct, frozen=True):
    """A number of NumPy, or an array. It `is_sure` unless it is one of several values, or computed with something of
    which nothing is known: that might be a tensor, and so the result."""

    is_array: bool
    is_sure: bool = True


class NumpyValues:
    """Tells which expressions are arrays or numbers of NumPy. (Measured with numpy 2.4.6.)"""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self._known: dict[tuple[int, int], tuple[Expr, Frame, NumpyValue | None]] = {}

    def of(self, value: Expr, frame: Frame, depth: int = 0) -> NumpyValue | None:
        """What an expression is, if it is an array or a number of NumPy."""
        key = (id(value), id(frame))
        if key not in self._known:
            if depth > COMPUTED.most:
                self._linker.evaluator.cuts.note(COMPUTED)
                return None
            self._known[key] = (value, frame, None)
            self._known[key] = (value, frame, self._of(without_narrowing(value), frame, depth + 1))
        return self._known[key][2]

    def _by_function(self, function: Expr, call: Call, frame: Frame, depth: int) -> NumpyValue | None:
        for traced in self._linker.evaluate(function, frame):
            path = traced.value.path if isinstance(traced.value, ExternalValue) else ""
            made = self._by_path(path, call, frame, depth)
            if made is not None:
                return replace(made, is_sure=made.is_sure and not traced.doubts)
        return None

    def _by_path(self, path: str, call: Call, frame: Frame, depth: int) -> NumpyValue | None:
        head, _, name = path.partition(".")
        if head == "builtins":
            return self._by_builtin(name, call, frame, depth)
        if head != "numpy":
            return None
        if _ARRAYS.fullmatch(name):
            return NumpyValue(True)
        if _SCALARS.fullmatch(name):
            return NumpyValue(self._is_given_several(call, frame))
        if _REDUCTIONS.fullmatch(name):
            return _reduced(call, _AXIS_BEHIND.get(name, 1))
        given = call.argument("x", 0) if _OF_EACH.fullmatch(name) else None
        return self.of(given, frame, depth) if given is not None else None

    def _of(self, value: Expr, frame: Frame, depth: int) -> NumpyValue | None:
        return self.made_at(value, frame, depth) or self._elsewhere(value, frame, depth)

    def made_at(self, value: Expr, frame: Frame, depth: int = 0) -> NumpyValue | None:
        """What an expression makes, if that is an array or a number of NumPy."""
        match value:
            case Sum(parts=parts) if not is_after_puts(value):
                return self._computed(parts, frame, depth)
            case Call(function=Attribute(base=base, name=name), arguments=arguments) if _OPERATORS.fullmatch(name):
                return self._computed((base, *(argument.value for argument in arguments)), frame, depth)
            case Call(function=Attribute(base=base, name=name)) if found := self._by_method(
                base, name, value, frame, depth
            ):
                return found
            case Call(function=Attribute(name="numpy")) if not is_known(value.function, frame, self._linker):
                return NumpyValue(True)
            case Call(function=function):
                return self._by_function(function, value, frame, depth)
            case Item(base=base, key=key) if self._is_array_of_numbers(base, frame, depth):
                return NumpyValue(isinstance(key, Constant) and key.value is ...)
            case _:
                return None

    def _elsewhere(self, value: Expr, frame: Frame, depth: int) -> NumpyValue | None:
        """What an expression is that names what other code makes."""
        match value:
            case Sum(parts=(first, *_)):
                return self.of(first, frame, depth)
            case Choice(options=options):
                return _one_of([self.of(option, frame, depth) for option in options])
            case Parameter(name=name, owner=owner):
                given = _given(name, owner, frame)
                return self.of(*given, depth) if given is not None else None
            case Attribute(base=base, name=name):
                stored = given_by_attribute(base, name, frame, self._linker)
                return _one_of([self.of(each, home, depth) for each, home in stored])
            case Call(function=function):
                called = (each.value for each in self._linker.evaluate(function, frame))
                return _one_of(
                    [self._returned(each, value, frame, depth) for each in called if isinstance(each, FunctionValue)]
                )
            case _:
                return None

    def _returned(self, called: FunctionValue, call: Call, frame: Frame, depth: int) -> NumpyValue | None:
        facts = called.facts
        is_plain = not (called.opaque or facts.is_generator or facts.is_async)
        inner = self._linker.evaluator.enter(called, call, frame) if is_plain else None
        return _one_of([self.of(each, inner, depth) for each in facts.returns]) if inner is not None else None

    def _computed(self, operands: Iterable[Expr], frame: Frame, depth: int) -> NumpyValue | None:
        """What is computed from operands of which one is of NumPy."""
        known = [(each, self.of(each, frame, depth)) for each in operands]
        found = [kind for _, kind in known if kind is not None]
        others = [each for each, kind in known if kind is None]
        if not found or any(self._takes_over(each, frame) for each in others):
            return None
        is_sure = all(each.is_sure for each in found) and all(self._is_number(each, frame) for each in others)
        return NumpyValue(any(each.is_array for each in found), is_sure)

    def _takes_over(self, value: Expr, frame: Frame) -> bool:
        """Whether a value is none of the numbers and containers with which NumPy computes: a tensor, say."""
        match without_narrowing(value):
            case Call(function=Attribute(name="item" | "tolist")):
                return False
            case Call(function=function) if self._is_of_torch(function, frame):
                return True
            case Call(function=Attribute(base=base)) | Attribute(base=base) | Item(base=base):
                return self._takes_over(base, frame)
            case Parameter(name=name, owner=owner) if given := _given(name, owner, frame):
                return self._takes_over(*given)
            case _:
                found = (each.value for each in self._linker.evaluate(value, frame))
                return any(not is_indefinite(each) and not isinstance(each, _COMPUTED_WITH) for each in found)

    def _is_of_torch(self, function: Expr, frame: Frame) -> bool:
        return any(name.startswith("torch.") for name in external_names(function, frame, self._linker))

    def _is_number(self, value: Expr, frame: Frame) -> bool:
        match without_narrowing(value):
            case Constant(value=int() | float()):
                return True
            case Call(function=function):
                names = external_names(function, frame, self._linker)
                return any(name in ("builtins.len", "builtins.float", "builtins.int", "builtins.sum") for name in names)
            case _:
                found = [each.value for each in self._linker.evaluate(value, frame)]
                return all(isinstance(each, ConstantValue) and isinstance(each.value, int | float) for each in found)

    def _by_builtin(self, name: str, call: Call, frame: Frame, depth: int) -> NumpyValue | None:
        given = next(iter(call.positional() or ()), None)
        is_asked = name == "abs" or (name == "round" and len(call.arguments) > 1) or name == "sum"
        if given is None or not is_asked:
            return None
        match given:
            case Comprehension(element=element) if name == "sum":
                return self.of(element, frame, depth)
            case _:
                found = self.of(given, frame, depth)
                return NumpyValue(False, found.is_sure) if found is not None and name == "sum" else found

    def _by_method(self, base: Expr, name: str, call: Call, frame: Frame, depth: int) -> NumpyValue | None:
        if name in OF_COLUMNS and not call.arguments and is_column(base, frame, self._linker):
            return NumpyValue(False, name in ALWAYS_NUMBERS)
        if not _METHODS.fullmatch(name):
            return None
        found = self._read(base, frame, depth)
        return _reduced(call, 0) if found is not None else None

    def _read(self, base: Expr, frame: Frame, depth: int) -> NumpyValue | None:
        """What a variable holds, after items of it have been set."""
        return next((kind for each in before_puts(base) if (kind := self.of(each, frame, depth)) is not None), None)

    def _is_array_of_numbers(self, base: Expr, frame: Frame, depth: int) -> bool:
        """Whether all items of a value are numbers of NumPy, or arrays of such: it is no array of objects."""
        found = self._read(base, frame, depth)
        return found is not None and found.is_array and not any(map(_may_hold_objects, before_puts(base)))

    def _is_given_several(self, call: Call, frame: Frame) -> bool:
        """Whether a NumPy type is called with a list or tuple, of which it makes an array."""
        given = next(iter(call.positional() or ()), None)
        values = self._linker.evaluate(given, frame) if given is not None else ()
        return any(isinstance(each.value, ContainerValue) for each in values)


def _given(name: str, owner: str, frame: Frame) -> tuple[Expr, Frame] | None:
    """What is passed for a parameter, as the caller writes it."""
    home = frame.enclosing(owner)
    bound = home.bindings.get(name) if home is not None else None
    if bound is None or bound.expr is None or bound.frame is None:
        return None
    return bound.expr, bound.frame


def _one_of(kinds: list[NumpyValue | None]) -> NumpyValue | None:
    """One of several values: of `total = 0` before a loop that adds to it, those too."""
    found = [each for each in kinds if each is not None]
    return replace(found[0], is_sure=found[0].is_sure and len(kinds) == 1) if found else None


def is_after_puts(value: Sum) -> bool:
    """Whether it is a container after something was put into it, and no new object."""
    return value.span == value.parts[0].span


def is_known(function: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether what is called is seen: a function of a module, or a method of the project itself."""
    found = (traced.value for traced in linker.evaluate(function, frame))
    return any(not isinstance(each, ExternalValue) and not is_indefinite(each) for each in found)


def _reduced(call: Call, place: int) -> NumpyValue | None:
    """What a reduction gives whose axis is the argument at a place; nothing if that is not a literal."""
    positional = call.positional()
    if positional is None or any(argument.star for argument in call.arguments):
        return None
    axis = call.keyword("axis") or next(iter(positional[place:]), None)
    several = call.keyword("q") or next(iter(positional[1:place]), None)
    match axis:
        case _ if call.keyword("keepdims") is not None or isinstance(several, Collection):
            return NumpyValue(True)
        case None | Constant(value=None):
            return NumpyValue(False)
        case Constant() | Collection():
            return NumpyValue(True)
        case _:
            return None


def _may_hold_objects(made: Expr) -> bool:
    """Whether the call that makes an array does not say that it is one of numbers: `np.array(rows, dtype=object)`."""
    match made:
        case Call(function=Attribute(name="zeros" | "ones" | "empty" | "full" | "arange" | "linspace")) as call:
            dtype = call.keyword("dtype") or call.argument("dtype", 1)
            return _names_objects(dtype)
        case Call(function=Attribute(base=base, name=name)) if _OPERATORS.fullmatch(name):
            return any(map(_may_hold_objects, before_puts(base)))
        case _:
            return True


def _names_objects(dtype: Expr | None) -> bool:
    match dtype:
        case Name(name="object") | Attribute(name="object_") | Constant(value="O" | "object"):
            return True
        case _:
            return False
