"""How large the NumPy arrays are that expressions give: `np.zeros((n, m), dtype=np.float32)` with numbers that are
written out or the default of an option of the command line, `rng.random(size=1_000_000)`, `np.load(path)`.

Measured with numpy 2.4.6: elements take eight bytes unless they are told another type; those of `full` have the type of
what fills it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from lintpickle.analyses.calls_and_values.returned_values import returned_expression
from lintpickle.analyses.calls_and_values.values import external_names, literals
from lintpickle.analyses.workers.worker_starts import option_default
from lintpickle.analyses.written_files.written_sizes import written_number
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Constant,
    Expr,
    Item,
    Parameter,
    before_puts,
    ending_name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ContainerValue,
    Frame,
    InstanceValue,
    Slot,
)
from lintpickle.interpreter.frames import passed_first
from lintpickle.payload.linker import Linker

_NUMPY = "numpy."
_FILLED = "numpy.full"
_SHAPED = {
    **{f"numpy.{name}": ("shape", 0, 1) for name in ("zeros", "ones", "empty")},
    _FILLED: ("shape", 0, 2),
}
"""What makes an array of a shape, by which parameter, at which place, and the place of the type."""
_DRAWN = {
    "random": ("size", 0, 1),
    "random_sample": ("size", 0, None),
    "standard_normal": ("size", 0, 1),
    "normal": ("size", 2, None),
    "uniform": ("size", 2, None),
    "integers": ("size", 2, 3),
    "randint": ("size", 2, 3),
}
"""The same for what draws numbers, a function of `numpy.random` or the method of a generator."""
_SIDES = frozenset({"numpy.random.rand", "numpy.random.randn"})
_SQUARE = frozenset({"numpy.eye", "numpy.identity"})
_LIKE = frozenset({"numpy.zeros_like", "numpy.ones_like", "numpy.empty_like", "numpy.full_like"})
_OF_ANY_SIZE = frozenset(
    f"numpy.{name}"
    for name in (
        *("array", "asarray", "loadtxt", "genfromtxt", "fromfile", "concatenate", "stack", "vstack", "hstack"),
        *("column_stack", "tile", "repeat", "meshgrid", "fromiter", "copy"),
    )
)
_LOAD = "numpy.load"
_SAME_SIDES = frozenset({"copy"})
_SAME_BYTES = frozenset({"reshape", "ravel", "flatten", "transpose", "swapaxes"})
_TYPE = re.compile(r"[<>=|]?(?:u?int|float|complex)(8|16|32|64|128)")
_SHORT_TYPE = re.compile(r"[<>=|]?[iufc](1|2|4|8|16)")
_BYTES = {
    "bool": 1,
    "bool_": 1,
    "half": 2,
    "single": 4,
    "f": 4,
    "int": 8,
    "float": 8,
    "double": 8,
    "d": 8,
    "complex": 16,
}
_USUAL = 8
_STEPS = 8
_Reader: TypeAlias = Callable[[AbstractValue, Linker], Iterable[Slot]]


class ArraySize(Struct, frozen=True):
    """An array of NumPy: the bytes that it takes at least, whether that is all, and its sides as far as all are
    known."""

    least: int
    is_exact: bool
    sides: tuple[int, ...] = ()


_UNKNOWN = ArraySize(0, False)


def array_size(value: Expr, frame: Frame, linker: Linker, steps: int = _STEPS) -> ArraySize | None:
    """How large the array is that an expression gives; None if it may be something else."""
    if not steps:
        return None
    held = list(before_puts(value, through_sums=True))
    if len(held) != 1:
        return None
    match held[0]:
        case Parameter(name=name):
            bound = passed_first(frame.bindings.get(name))
            if bound is None or bound.expr is None or bound.frame is None:
                return None
            return array_size(bound.expr, bound.frame, linker, steps - 1)
        case Item(base=base, key=None):
            whole = array_size(base, frame, linker, steps - 1)
            return _row(whole) if whole is not None else _largest(base, _gone_through, frame, linker, steps - 1)
        case Item(base=base, key=Constant(value=int() | str() as key)):
            return _largest(base, partial(_under, key), frame, linker, steps - 1)
        case Item(base=base, key=Expr() as key) if not isinstance(key, Constant):
            return _largest(base, partial(_under, None), frame, linker, steps - 1)
        case Attribute(base=base, name="T"):
            return array_size(base, frame, linker, steps - 1)
        case Attribute(base=base, name=name):
            return _kept(base, name, frame, linker, steps - 1)
        case Call() as call:
            return _made(call, frame, linker, steps - 1)
        case _:
            return None


def _row(whole: ArraySize | None) -> ArraySize | None:
    """One of those that a loop over an array gives."""
    if whole is None or not whole.sides:
        return whole and _UNKNOWN
    first, *rest = whole.sides
    return ArraySize(whole.least // first, whole.is_exact, tuple(rest)) if rest and first else None


def _largest(base: Expr, read: _Reader, frame: Frame, linker: Linker, steps: int) -> ArraySize | None:
    """The largest array of those that are read from a container; None if it holds none."""
    slots = (slot for traced in linker.evaluate(base, frame) for slot in read(traced.value, linker))
    found = (array_size(slot.value, slot.frame, linker, steps) for slot in slots)
    return max((each for each in found if each is not None), key=lambda size: size.least, default=None)


def _gone_through(value: AbstractValue, linker: Linker) -> Iterable[Slot]:
    return linker.evaluator.elements(value)


def _under(key: int | str | None, value: AbstractValue, linker: Linker) -> Iterable[Slot]:
    """What stands under a key, or may; under any, if that is not known (None)."""
    slots = value.slots if isinstance(value, ContainerValue) else ()
    return (slot for slot in slots if slot.is_item and (key is None or slot.key.item in (key, None)))


def _kept(base: Expr, name: str, frame: Frame, linker: Linker, steps: int) -> ArraySize | None:
    """An attribute that an object has as it is made, and nothing else."""
    owners = [traced.value for traced in linker.evaluate(base, frame)]
    if len(owners) != 1 or not isinstance(owners[0], InstanceValue):
        return None
    held = [each for each in linker.classes.states.state(owners[0]) if each.attribute == name]
    return array_size(held[0].value, held[0].frame, linker, steps) if len(held) == 1 else None


def _made(call: Call, frame: Frame, linker: Linker, steps: int) -> ArraySize | None:
    function = call.function
    names = list(external_names(function, frame, linker))
    if len(names) == 1 and names[0].startswith(_NUMPY):
        return _of_numpy(names[0], call, frame, linker, steps)
    if isinstance(function, Attribute) and function.name in _SAME_BYTES | _SAME_SIDES | {"astype"}:
        whole = array_size(function.base, frame, linker, steps)
        if whole is None or function.name in _SAME_SIDES:
            return whole
        if function.name == "astype":
            return _sized(whole.sides or None, call.argument("dtype", 0), frame, linker)
        return ArraySize(whole.least, whole.is_exact)
    returned = returned_expression(call, frame, linker.evaluator)
    return array_size(*returned, linker, steps) if returned is not None else None


def _of_numpy(path: str, call: Call, frame: Frame, linker: Linker, steps: int) -> ArraySize | None:
    given = call.positional()
    if given is None:
        return _UNKNOWN
    drawn = _DRAWN.get(path.rpartition(".")[2]) if path.startswith("numpy.random.") else None
    if drawn is not None or path in _SHAPED:
        keyword, place, of_type = drawn or _SHAPED[path]
        shape = call.argument(keyword, place)
        if shape is None:
            return None if drawn is not None else _UNKNOWN
        type_ = call.argument("dtype", of_type if of_type is not None else -1)
        sides = _sides(shape, frame, linker)
        if path == _FILLED and type_ is None:
            return _filled(sides, call.argument("fill_value", 1), frame, linker)
        return _sized(sides, type_, frame, linker)
    if path in _SIDES:
        return _sized(_numbers(given, frame, linker), None, frame, linker) if given else None
    if path in _SQUARE:
        side = _number_given(given[0], frame, linker) if given else None
        return _sized((side, side) if side is not None else None, call.keyword("dtype"), frame, linker)
    if path in _LIKE and given:
        like = array_size(given[0], frame, linker, steps)
        type_ = call.keyword("dtype")
        if like is None or type_ is None:
            return like or _UNKNOWN
        return _sized(like.sides or None, type_, frame, linker)
    if path == "numpy.arange" and len(given) == 1:
        return _sized(_numbers(given, frame, linker), call.keyword("dtype"), frame, linker)
    if path == "numpy.linspace":
        number = call.argument("num", 2)
        sides = _numbers((number,), frame, linker) if number is not None else (50,)
        return _sized(sides, call.keyword("dtype"), frame, linker)
    if path == _LOAD:
        return _UNKNOWN if call.argument("mmap_mode", 1) is None else None
    if path in _OF_ANY_SIZE:
        is_written = path in ("numpy.array", "numpy.asarray") and bool(given) and isinstance(given[0], Collection)
        return None if is_written else _UNKNOWN
    return None


def _filled(sides: tuple[int, ...] | None, filler: Expr | None, frame: Frame, linker: Linker) -> ArraySize | None:
    """What `full` makes, which has the type of what fills it."""
    known = literals(filler, frame, linker) if filler is not None else None
    types = {type(each) for each in known or ()}
    return _array(sides, _USUAL if types and types <= {int, float} else None)


def _sized(sides: tuple[int, ...] | None, type_: Expr | None, frame: Frame, linker: Linker) -> ArraySize | None:
    """An array with these sides (None: unknown) of a type that is told or not; None if it holds objects."""
    bytes_ = _bytes_of(type_, frame, linker) if type_ is not None else _USUAL
    return _array(sides, bytes_) if bytes_ != 0 else None


def _array(sides: tuple[int, ...] | None, bytes_: int | None) -> ArraySize:
    if sides is None:
        return _UNKNOWN
    return ArraySize(math.prod(sides) * (bytes_ or 1), bytes_ is not None, sides)


def _bytes_of(type_: Expr, frame: Frame, linker: Linker) -> int | None:
    """The bytes of an element; 0 for objects, None if that is not known."""
    known = literals(type_, frame, linker) or []
    name = known[0] if len(known) == 1 and isinstance(known[0], str) else ending_name(without_narrowing(type_)) or ""
    if name in ("object", "object_", "O"):
        return 0
    if (found := _TYPE.fullmatch(name)) is not None:
        return int(found[1]) // 8
    if (found := _SHORT_TYPE.fullmatch(name)) is not None:
        return int(found[1])
    return _BYTES.get(name)


def _sides(shape: Expr, frame: Frame, linker: Linker) -> tuple[int, ...] | None:
    inner = without_narrowing(shape)
    return _numbers(inner.elements if isinstance(inner, Collection) else (inner,), frame, linker)


def _numbers(values: tuple[Expr, ...], frame: Frame, linker: Linker) -> tuple[int, ...] | None:
    numbers = [_number_given(each, frame, linker) for each in values]
    known = [each for each in numbers if each is not None]
    return tuple(known) if len(known) == len(numbers) else None


def _number_given(value: Expr, frame: Frame, linker: Linker) -> int | None:
    """The whole number, not below zero, that an expression is; None if that is not known, or is not one number."""
    first = passed_first(Bound(expr=value, frame=frame))
    if first is not None and first.expr is not None and first.frame is not None:
        value, frame = first.expr, first.frame
    inner = without_narrowing(value)
    if isinstance(inner, Constant) and isinstance(inner.value, bool):
        return None
    known = literals(inner, frame, linker)
    if known:
        number = known[0]
        is_one = type(number) is int and number >= 0 and all(each == number for each in known)
        return number if is_one and isinstance(number, int) else None
    if isinstance(inner, Attribute):
        return option_default(inner.name, frame, frame.module, linker)
    written = frame.module.expression(inner.span)
    return written_number(written, frame.module) if written is not None else None
