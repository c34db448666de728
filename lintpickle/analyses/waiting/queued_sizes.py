"""How much a worker puts into a queue: an array, a list of any length, or any number of objects, and not a number or a
short text. A pipe of Linux holds 64 KiB."""

from __future__ import annotations

import re

from lintpickle.analyses.calls_and_values.repeated_places import grows_without_bound, is_repeated
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.written_files.written_sizes import written_size
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Comprehension,
    Constant,
    Expr,
    Mapping,
    Parameter,
    PutInto,
    Sum,
    options_of,
    parameter_name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    Bound,
    ContainerValue,
    Frame,
    FunctionValue,
    InstanceValue,
)
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_LARGE = re.compile(r"(?:numpy|pandas|torch|scipy|cv2|PIL)\.")
"""How the names of functions begin that mostly give arrays, tables and pictures."""
_SCALARS = re.compile(r"\.(?:sum|mean|median|max|min|std|var|argmax|argmin|prod|dot|norm|trace|float\w*|int\w*|item)$")
_LARGE_METHODS = frozenset({"tolist", "read", "read_bytes", "read_text", "readlines", "tobytes", "to_dict", "astype"})
_PIPE = 65536
"""The bytes that a pipe of Linux holds."""
_OBJECT = 1024
"""The bytes of something that the pipe does not hold many of."""
_CALLS_FOLLOWED = 2


def weighs(function: WorkerFunction, put: Call, linker: Linker) -> bool:
    """Whether a call puts something large into the queue, or may put any number of objects."""
    if not put.arguments:
        return False
    value, frame = put.arguments[0].value, function.frame
    if _is_large(value, frame, linker):
        return True
    size = written_size(value.span, frame.module)
    is_object = _is_object(value, frame, linker) or (size is not None and size.least >= _OBJECT)
    return is_object and is_repeated(put.span, function.facts, function.module)


def _is_object(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a value is seen to have parts of its own: 64 KiB are some hundred of these, but thousands of numbers."""
    if isinstance(without_narrowing(value), Mapping):
        return True
    return any(isinstance(each.value, InstanceValue) for each in linker.evaluate(value, frame))


def _is_large(value: Expr, frame: Frame, linker: Linker, depth: int = 0) -> bool:
    """Whether it is seen that a value is an array, or a container of which nobody knows how much is in it."""
    inner = without_narrowing(value)
    size = written_size(inner.span, frame.module)
    if size is not None and (size.least > _PIPE or (size.most is not None and size.most <= _PIPE)):
        return size.least > _PIPE
    match inner:
        case Comprehension() | PutInto():
            return True
        case Collection(elements=elements):
            return any(_is_large(each, frame, linker, depth) for each in elements)
        case Mapping(items=items):
            return any(_is_large(each, frame, linker, depth) for _, each in items)
        case Call(function=called):
            if isinstance(called, Attribute) and called.name in _LARGE_METHODS:
                return True
            names = external_names(called, frame, linker)
            if any(_LARGE.match(name) and not _SCALARS.search(name) for name in names):
                return True
            if _is_given(called, frame, linker):
                return True
            return depth < _CALLS_FOLLOWED and _gives_large(inner, frame, linker, depth)
        case Parameter(name=name) if name in frame.bindings:
            given = frame.bindings[name]
            if given.expr is None or given.frame is None or depth == _CALLS_FOLLOWED:
                return False
            return _is_large(given.expr, given.frame, linker, depth + 1)
        case _:
            options = options_of(inner)
            is_reckoned = any(isinstance(each, Constant) and isinstance(each.value, int | float) for each in options)
            grown = [each for each in options if isinstance(each, Sum)] if not is_reckoned else []
            return len(options) > 1 and (
                any(_grows(each, frame, linker, depth) for each in grown)
                or any(_is_large(each, frame, linker, depth) for each in options)
            )


def _grows(grown: Sum, frame: Frame, linker: Linker, depth: int) -> bool:
    """Whether any number of things is added to a container, or something large: not one for each of a few."""
    parts = [without_narrowing(each) for each in grown.parts]
    added = [each for part in parts[1:] for each in (part.elements if isinstance(part, Collection) else (part,))]
    if len(parts) < 2 or any(_is_large(each, frame, linker, depth) for each in added):
        return True
    given = frozenset(name for name, bound in frame.bindings.items() if _is_written_out(bound, linker))
    return grows_without_bound(parts[0].span, frame.function, frame.module, given)


def _is_written_out(given: Bound, linker: Linker) -> bool:
    """Whether a parameter is given a list or tuple that is written out."""
    if given.expr is None or given.frame is None:
        return False
    found = [each.value for each in linker.evaluate(given.expr, given.frame)]
    return all(isinstance(each, ContainerValue) and _is_display(each) for each in found)


def _is_display(container: ContainerValue) -> bool:
    is_sequence = container.kind in ("list", "tuple") and bool(container.slots)
    return is_sequence and all(isinstance(slot.key.item, int) for slot in container.slots)


def _is_given(called: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a function is whatever callers give that are not seen: what such a function returns may be anything."""
    is_parameter = parameter_name(without_narrowing(called)) is not None
    return is_parameter and all(each.value is UNKNOWN for each in linker.evaluate(called, frame))


def _gives_large(call: Call, frame: Frame, linker: Linker, depth: int) -> bool:
    """The same of what a function of the program returns."""
    for traced in linker.evaluate(call.function, frame):
        if isinstance(traced.value, FunctionValue) and not traced.value.facts.is_generator:
            inner = linker.evaluator.enter(traced.value, call, frame)
            returns = traced.value.facts.returns if inner is not None else ()
            if inner is not None and any(_is_large(each, inner, linker, depth + 1) for each in returns):
                return True
    return False
