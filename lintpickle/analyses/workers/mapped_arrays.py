"""Large NumPy arrays that joblib maps from a file, read-only, into the processes which run its tasks, and to which a
task writes.

Measured with joblib 1.6.0, numpy 2.4.6 and CPython 3.11: `Parallel` writes an array of more than `max_nbytes` ("1M",
which is 1048576 bytes) to a file, wherever it is in what a task is sent, and tasks find a `memmap` that is read-only.
So do the backends "loky" and "multiprocessing", but threads and the process itself do not; nor is it read-only with the
modes "r+", "w+" and "c". What `parallel_config` and `parallel_backend` are told of that counts, too. Arrays of objects
are not mapped, nor are those that are memmaps already, which keep their own mode."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.array_sizes import ArraySize, array_size
from lintpickle.analyses.calls_and_values.array_writes import IsArray, array_written, parameter_itself
from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.calls_and_values.values import literals
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.in_threads import runners_made, runs_of
from lintpickle.boundaries.task_calls import task_call
from lintpickle.control_flow.attempts import words_of_contexts_around
from lintpickle.facts.records import Store
from lintpickle.facts.values import Attribute, Call, Captured, Expr, without_narrowing
from lintpickle.interpreter.abstract_values import Bound, Frame, FunctionValue, InstanceValue, Site
from lintpickle.interpreter.pickling_hooks import SENDING_HOOKS
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KIND = "joblib"
_USUAL_LIMIT = 1 << 20
_LIMIT = re.compile(r"(\d+(?:\.\d+)?)([KMG])")
_FACTORS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_READ_ONLY = "r"
_BACKENDS = frozenset({"loky", "multiprocessing", "processes"})
_CONTEXTS = {"parallel_backend", "parallel_config"}
_TOLD_BY_CONTEXT = re.compile(r"\bparallel_(?:backend|config)\s*\([^()]*\b(?:max_nbytes|mmap_mode)\b")


class MappedArrayWrite(Struct, frozen=True):
    """Where a function of tasks writes to an array that joblib maps, how that is called there, the error, whether the
    array is known to be so large, whether the function is known to get there, too, and where the one `Parallel` is made
    that runs it."""

    function: WorkerFunction
    name: str
    site: Site
    error: str
    is_large: bool
    is_sure: bool
    maker: Site | None


class _Given(Struct, frozen=True):
    """What a function of tasks gets: how that is called, how to know it there, and what it is in the main process."""

    name: str
    is_array: IsArray
    value: Expr
    home: Frame


def mapped_arrays_written(code: WorkerCode, linker: Linker) -> Iterator[MappedArrayWrite]:
    """The writes to what the tasks of a boundary are given; each array once."""
    boundary = code.boundary
    task = task_call(boundary) if boundary is not None and boundary.spec.kind == _KIND else None
    if boundary is None or task is None or not boundary.frame.module.first_party:
        return
    entries = [each for each in (*code.functions, *code.by_value) if each.entry and each.module.first_party]
    limit = _limit(boundary, linker) if entries else None
    if limit is None:
        return
    makers = list(runners_made(boundary, linker.evaluator))
    maker = makers[0] if len(makers) == 1 else None
    for function in entries:
        inside = _entered(function, task, boundary, linker)
        for given in _given(function, inside, task, boundary.frame, linker):
            write = array_written(inside, given.is_array, linker)
            size = _size(given, linker) if write is not None else None
            if write is not None and size is not None and (size.least > limit or not size.is_exact):
                error = write.error_of_rows if len(size.sides) > 1 else write.error
                large = size.least > limit
                yield MappedArrayWrite(function, given.name, write.site, error, large, large and write.is_sure, maker)


def _entered(function: WorkerFunction, task: Call, boundary: BoundaryCall, linker: Linker) -> Frame:
    """The frame of a function with what its task passes, as far as that is seen."""
    for traced in boundary.value("function", linker.evaluator):
        if isinstance(traced.value, FunctionValue) and traced.value.facts is function.facts:
            return linker.evaluator.enter(traced.value, task, boundary.frame) or function.frame
    return function.frame


def _size(given: _Given, linker: Linker) -> ArraySize | None:
    """How large an array is, by what its function is called with if that decides."""
    found = array_size(given.value, given.home, linker)
    home = given.home
    if (found is not None and (found.least or found.is_exact)) or home.called_by is not None:
        return found
    parameters = home.function.parameters
    called = frames_of_calls(home.function, home.module.path, linker) if parameters else ()
    sizes = [size for each in called if (size := array_size(given.value, each, linker)) is not None]
    return max(sizes, key=lambda size: size.least, default=found)


def _limit(boundary: BoundaryCall, linker: Linker) -> int | None:
    """From how many bytes on arrays are mapped so that nobody can write to them; None if that is not known, or none
    is."""
    module = boundary.frame.module
    runner = linker.catalog.boundary(boundary.spec.run_by or "")
    if runner is None or module.has(_TOLD_BY_CONTEXT):
        return None
    runs = list(runs_of(boundary, runner, linker.evaluator))
    limits = {_limit_of(call, made, frame, boundary.frame, linker) for call, made, frame in runs}
    return limits.pop() if len(limits) == 1 else None


def _limit_of(call: Call, made: Call, made_in: Frame, frame: Frame, linker: Linker) -> int | None:
    if made.has_unknown_arguments():
        return None
    around = words_of_contexts_around(*frame.paths.in_tree(call.span.start), _CONTEXTS)
    backend, mode, most = (made.keyword(each) for each in ("backend", "mmap_mode", "max_nbytes"))
    named = literals(backend, made_in, linker) if backend is not None else [None]
    if not around <= _BACKENDS or named is None or not all(each is None or each in _BACKENDS for each in named):
        return None
    if mode is not None and literals(mode, made_in, linker) != [_READ_ONLY]:
        return None
    return _USUAL_LIMIT if most is None else _bytes_in(literals(most, made_in, linker))


def _bytes_in(known: list[object] | None) -> int | None:
    match known:
        case [int() as number]:
            return number
        case [str() as text] if (found := _LIMIT.fullmatch(text)) is not None:
            return int(float(found[1]) * _FACTORS[found[2]])
        case _:
            return None


def _given(function: WorkerFunction, inside: Frame, task: Call, home: Frame, linker: Linker) -> Iterator[_Given]:
    for name, value in _arguments(function, task):
        yield _Given(name, parameter_itself(name), value, home)
    yield from _kept(inside, linker)
    around = inside.parent
    for name in function.facts.captures if around is not None else ():
        assert around is not None
        if name in around.function.variables:
            yield _Given(name, _captured(name), around.function.variables[name], around)


def _arguments(function: WorkerFunction, task: Call) -> Iterator[tuple[str, Expr]]:
    """The arguments of a task by the names of the parameters."""
    facts = function.facts
    named = [each.name for each in facts.parameters if each.kind in ("positional", "positional-only")]
    is_method = "." in facts.qualname and not facts.is_local
    yield from zip(named[is_method:], task.positional() or (), strict=False)
    yield from ((each.keyword, each.value) for each in task.arguments if each.keyword is not None)


def _kept(inside: Frame, linker: Linker) -> Iterator[_Given]:
    """What the objects keep that a function gets, its own among them, unless it stores something else there."""
    stored = {each.attribute for each in inside.function.events if isinstance(each, Store)}
    for parameter, bound in inside.bindings.items():
        for owner in _owners(bound, linker):
            held = linker.classes.states.state(owner)
            times = Counter(each.attribute for each in held)
            for each in held:
                if times[each.attribute] == 1 and each.direct and each.attribute not in stored:
                    is_array = _attribute(parameter, each.attribute)
                    yield _Given(f"{parameter}.{each.attribute}", is_array, each.value, each.frame)


def _owners(bound: Bound, linker: Linker) -> Iterator[InstanceValue]:
    """The object that a parameter is bound to, unless its class says how it is pickled."""
    owner = bound.value
    if owner is None and bound.expr is not None and bound.frame is not None:
        found = [traced.value for traced in linker.evaluate(bound.expr, bound.frame)]
        owner = found[0] if len(found) == 1 else None
    if not isinstance(owner, InstanceValue):
        return
    if not any(linker.classes.find_method(owner.class_, each) is not None for each in SENDING_HOOKS):
        yield owner


def _attribute(parameter: str, name: str) -> IsArray:
    is_owner = parameter_itself(parameter)

    def is_it(value: Expr) -> bool:
        return isinstance(value, Attribute) and value.name == name and is_owner(without_narrowing(value.base))

    return is_it


def _captured(name: str) -> IsArray:
    def is_it(value: Expr) -> bool:
        return isinstance(value, Captured) and value.name == name

    return is_it
