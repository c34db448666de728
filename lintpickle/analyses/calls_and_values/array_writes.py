"""Where functions write to the NumPy array that they are given: `x[i] = 0`, `x -= 1`, `x[1:].sort()`,
`np.clip(x, 0, 1, out=x)`, or by another function that they call.

Measured with numpy 2.4.6 and arrays that are read-only: each way to write has an error of its own, and what is a copy
(`x[mask]`, `x.flatten()`) may be written to."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.changed_arguments import parameters_given, results_given
from lintpickle.analyses.calls_and_values.functions_run import functions_run
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Event, Implied, ItemStore
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Constant,
    Expr,
    Item,
    Name,
    Parameter,
    ending_name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Frame, Site
from lintpickle.interpreter.taken import taken_options
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

IsArray = Callable[[Expr], bool]
"""Whether an expression is the array that is asked about, as a whole."""

_ASSIGNED = "assignment destination is read-only"
_RESULT = "output array is read-only"
_BY_METHOD = {
    "fill": _ASSIGNED,
    "sort": "sort array is read-only",
    "partition": "partition array is read-only",
    "put": f"put: {_RESULT}",
}
_BY_FUNCTION = {
    "numpy.copyto": _ASSIGNED,
    "numpy.put": f"put: {_RESULT}",
    "numpy.putmask": f"putmask: {_RESULT}",
    "numpy.place": "WRITEBACKIFCOPY base is read-only",
    "numpy.fill_diagonal": "underlying array is read-only",
    "numpy.put_along_axis": _ASSIGNED,
    "numpy.random.shuffle": "array is read-only",
    "numpy.random.Generator().shuffle": "array is read-only",
    "random.shuffle": _ASSIGNED,
}
_LAST_NAMES = frozenset(path.rpartition(".")[2] for path in _BY_FUNCTION)
_AUGMENTED = re.compile(r"__i(?:add|sub|mul|matmul|truediv|floordiv|mod|pow|and|or|xor|lshift|rshift)__")
_SHOWING = frozenset({"reshape", "view", "transpose", "swapaxes", "squeeze", "ravel"})
"""Methods, and functions of numpy, that give an array which shows the same memory."""
_SHOWING_FUNCTIONS = _SHOWING | {"asarray", "asanyarray", "atleast_1d", "atleast_2d"}
_ASKS = re.compile(r"\bwriteable\b")
_IS_AUGMENTED = re.compile(r"(?:[-+*/%&|^@]|<<|>>)=(?!=)")
_DEPTH = 3


class _Sought(Struct, frozen=True):
    """The array of which is asked, and the function whose expressions are."""

    is_array: IsArray
    frame: Frame
    linker: Linker

    @property
    def module(self) -> Module:
        """The module whose expressions are asked about."""
        return self.frame.module

    def is_shown_by(self, value: Expr) -> bool:
        """Whether an expression is the array, or one that shows its memory: a slice, a row, another shape. Of a choice,
        those options count to which the function gets."""
        inner = without_narrowing(value)
        if self.is_array(inner):
            return True
        match inner:
            case Choice(options=options):
                return any(map(self.is_shown_by, options)) and all(
                    map(self.is_shown_by, taken_options(inner, self.frame, self.linker.evaluator))
                )
            case Item(base=base) if _is_view(inner, self.module):
                return self.is_shown_by(base)
            case Attribute(base=base, name="T" | "real"):
                return self.is_shown_by(base)
            case Call(function=Attribute(base=base, name=name), arguments=given) if name in _SHOWING_FUNCTIONS:
                return (name in _SHOWING and self.is_shown_by(base)) or (
                    isinstance(base, Name) and bool(given) and self.is_shown_by(given[0].value)
                )
            case _:
                return False


class ArrayWrite(Struct, frozen=True):
    """Where a function writes to an array, the error if that is read-only, and whether it surely gets there. Where it
    says `x[i] -= 1`, an `x` of more than one dimension gives `error_of_rows`."""

    site: Site
    error: str
    error_of_rows: str
    is_sure: bool


def array_written(frame: Frame, is_array: IsArray, linker: Linker, depth: int = 0) -> ArrayWrite | None:
    """The first place where a function, or one that it calls, writes to such an array; None if none is seen, or if it
    asks whether it may, or is ready for the error."""
    if frame.paths.has(_ASKS):
        return None
    sought = _Sought(is_array, frame, linker)
    for event in frame.function.events:
        found = _write(event, frame, sought, linker, depth)
        reaches = linker.evaluator.conditions.reaches(event.span, frame) if found is not None else False
        if found is not None and reaches is not False and not _is_caught(event.span, frame):
            return replace(found, is_sure=found.is_sure and reaches is True)
    return None


def _write(event: Event, frame: Frame, sought: _Sought, linker: Linker, depth: int) -> ArrayWrite | None:
    match event:
        case ItemStore():
            error, of_rows = _of_item(event, sought)
        case Implied(target=target, method=method) if _AUGMENTED.fullmatch(method):
            error = of_rows = _RESULT if sought.is_shown_by(target) else None
        case Called(call=call):
            inner = _inside(call, frame, sought, linker, depth) if depth < _DEPTH else None
            if inner is not None:
                return inner
            error = of_rows = _of_call(call, frame, sought, linker)
        case _:
            return None
    if error is None or of_rows is None:
        return None
    return ArrayWrite(Site(frame.module, event.span), f"ValueError: {error}", f"ValueError: {of_rows}", True)


def parameter_itself(name: str) -> IsArray:
    """Asks whether an expression is what a parameter of that name has been given."""

    def is_it(value: Expr) -> bool:
        return isinstance(value, Parameter) and value.name == name

    return is_it


def _is_caught(place: Span, frame: Frame) -> bool:
    return is_ready_for("ValueError", *frame.paths.in_tree(place.start))


def _of_item(event: ItemStore, sought: _Sought) -> tuple[str | None, str | None]:
    """What is said of a store into an item, `x[i] = 1`, or `x[i] += 1` where the item is the target (as `self.x` is of
    `self.x += 1`); also if the array has rows."""
    target = without_narrowing(event.target)
    written = sought.module.code[event.span.start : event.span.end]
    if event.key is not None or _IS_AUGMENTED.search(written) is None:
        error = _ASSIGNED if "=" in written and sought.is_shown_by(target) else None
        return error, error
    if not isinstance(target, Item):
        error = _RESULT if sought.is_shown_by(target) else None
        return error, error
    if not sought.is_shown_by(target.base):
        return None, None
    is_slice = target.key is None or (isinstance(target.key, Constant) and target.key.value is Ellipsis)
    if is_slice and _is_view(target, sought.module):
        return _RESULT, _RESULT
    is_row = isinstance(target.key, Parameter) or (target.key is not None and _is_number(target.key))
    return _ASSIGNED, _RESULT if is_row else _ASSIGNED


def _of_call(call: Call, frame: Frame, sought: _Sought, linker: Linker) -> str | None:
    """What is said of the call of a library."""
    if any(map(sought.is_shown_by, results_given(call))):
        return _RESULT
    match call.function:
        case Attribute(base=base, name=name) if name in _BY_METHOD and sought.is_shown_by(base):
            return _BY_METHOD[name]
        case _:
            pass
    given = call.positional()
    if not given or ending_name(call.function) not in _LAST_NAMES or not sought.is_shown_by(given[0]):
        return None
    paths = external_names(call.function, frame, linker)
    return next((_BY_FUNCTION[path] for path in paths if path in _BY_FUNCTION), None)


def _inside(call: Call, frame: Frame, sought: _Sought, linker: Linker, depth: int) -> ArrayWrite | None:
    """Where a function of the program that is called writes to the array that it is given."""
    if not any(sought.is_shown_by(each.value) for each in call.arguments):
        return None
    for called in functions_run(call, frame, linker):
        if not called.module.first_party or called.facts.is_generator:
            continue
        inner = linker.evaluator.enter(called, call, frame)
        for name in parameters_given(call, called, sought.is_shown_by) if inner is not None else ():
            assert inner is not None
            found = array_written(inner, parameter_itself(name), linker, depth + 1)
            if found is not None:
                return found
    return None


def _is_view(part: Item, module: Module) -> bool:
    """Whether a part of an array shows the same memory, as no array of places or of truth values chooses it."""
    if part.key is not None:
        return _is_number(part.key)
    if module.code[part.span.end - 1 : part.span.end] != "]":
        return True  # What a loop gives.
    written = module.expression(part.span)
    keys = written.slice if isinstance(written, ast.Subscript) else None
    return isinstance(keys, ast.Tuple) and all(isinstance(each, ast.Slice | ast.Constant) for each in keys.elts)


def _is_number(key: Expr) -> bool:
    """Whether a key is surely one number, a literal or what a loop over a `range` gives, or a slice."""
    match without_narrowing(key):
        case Constant(value=value):
            return isinstance(value, int) or value is Ellipsis
        case Item(base=Call(function=Name(name="range")), key=None):
            return True
        case _:
            return False
