"""Empty lists, dicts and arrays, and arrays that show shared memory or a file, that a function fills in a worker, which
gets copies of them, and that the code which starts the workers reads afterwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.changed_arguments import changes_in_place
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.lost_changes.container_methods import FILLABLE
from lintpickle.analyses.lost_changes.read_by_siblings import read_by_sibling
from lintpickle.analyses.lost_changes.shared_views import View, shared_view
from lintpickle.analyses.lost_changes.written_arguments import call_as_written, variable_given
from lintpickle.analyses.workers.several_workers import loop_around
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.task_calls import task_call
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, ItemStore
from lintpickle.facts.values import Call, Expr, Parameter, whole_of, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, Bound, ContainerValue, Frame
from lintpickle.parsing.syntax import arguments_of
from lintpickle.payload.entry_arguments import parameter_at, place_in_args
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_MAPS_ARRAYS = "joblib"
"""The kind of boundaries that give workers large arrays as a file that they share (`mmap_mode`), and memmaps as what
they are (joblib 1.5)."""
_KINDS = frozenset({"process", "pool", "executor", "spawn", _MAPS_ARRAYS})
_MAKES_ITEMS = ("defaultdict", "Counter")
"""Empty containers of which one can change an item at once."""
_ARRAYS = re.compile(r"numpy\.(?:zeros|empty|full)(?:_like)?")
"""What is made to be filled."""
_BINDING = r"^([ \t]*){name}[ \t]*(?::[^=\n]+)?=(?!=)"
_BEFORE_FOR = re.compile(r"[^\n]*(?:\n[^\n]*)?\bfor\b")
_BRACKETS = "[({"
"""What comprehensions begin with."""
_FILLING = "append|appendleft|extend|insert|add|update|clear"


class ArgumentChanged(Struct, frozen=True):
    """A parameter that a function of workers changes, at a place, and what the main process calls what it is given."""

    function: WorkerFunction
    parameter: str
    given: str
    span: Span
    reader: str | None
    """What of the main process reads that later; None if nobody has to, because a file is to be written."""
    view: View | None = None
    """What it shows, if it is an array of which only a copy is pickled."""


def arguments_changed(code: WorkerCode, linker: Linker) -> Iterator[ArgumentChanged]:
    """The changes that are lost: the function does not give the argument back, and the code behind the boundary reads
    it."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind not in _KINDS or not boundary.frame.module.first_party:
        return
    for function in (*code.functions, *code.by_value):
        if not function.entry or not function.module.first_party or function.facts.is_generator:
            continue
        for place, value in _given(boundary, linker):
            parameter = parameter_at(place, function.facts, boundary.spec)
            given = variable_given(place, boundary) if parameter is not None else None
            if parameter is None or given is None:
                continue
            holders = tuple(_holders(given, boundary.frame, given_up_to(boundary)))
            held = holders[-1].frame.function.variables.get(holders[-1].name)
            view = shared_view(held, holders[-1].frame, linker) if held is not None else None
            is_mapped = boundary.spec.kind == _MAPS_ARRAYS
            is_array = not is_mapped and _is_new_array(held, holders[-1].frame, linker)
            if not _is_empty(value) and (is_mapped or view is None) and not is_array:
                continue
            span = _changed(parameter, function, _has_parts(value), linker)
            if span is None:
                continue
            reading = next((each for each in holders if _is_read_later(each, linker)), None)
            if reading is not None:
                reader = _called(reading.frame.function)
                yield ArgumentChanged(function, parameter, reading.name, span, reader, view)
            elif view is View.FILE:
                yield ArgumentChanged(function, parameter, given, span, None, view)
            elif view is View.MEMORY and (sibling := read_by_sibling(given, boundary, linker)) is not None:
                yield ArgumentChanged(function, parameter, given, span, sibling, view)


def read_by_parent(written: str, boundary: BoundaryCall, linker: Linker, but: str = "") -> str | None:
    """What of the main process reads a variable, or an attribute of what one holds, after the workers have started.
    Uses behind which the pattern `but` stands are none."""
    return read_behind(written, boundary.frame, given_up_to(boundary), boundary, linker, but=but)


def given_up_to(boundary: BoundaryCall) -> int:
    """Where that ends by which workers are given their task and its arguments: if a comprehension does, that."""
    task, code = task_call(boundary), boundary.frame.module.code
    end = (task if task is not None else boundary.call).span.end
    loop = loop_around(boundary.site) if _BEFORE_FOR.match(code, end) else None
    return max(end, loop.end) if loop is not None and code[loop.start] in _BRACKETS else end


def read_behind(
    written: str,
    frame: Frame,
    behind: int,
    boundary: BoundaryCall,
    linker: Linker,
    home: Frame | None = None,
    but: str = "",
) -> str | None:
    """The same for a variable of a function that has called, up to a place, the one which starts the workers. `home` is
    the function which names what is to be filled, if that is another one."""
    name, _, attribute = written.partition(".")
    if not name.isidentifier():
        return None
    if not attribute:
        reading = next((each for each in _holders(name, frame, behind) if _is_read_later(each, linker, but)), None)
        return _called(reading.frame.function) if reading is not None else None
    if _is_read_later(_Holder(written, frame, behind), linker, but):
        return _called(frame.function)
    is_kept = name in frame.bindings or _is_passed_on(name, frame, behind)
    if not is_kept:
        return None
    is_read = _is_read_elsewhere(attribute, boundary, linker, home) or (
        home is not None and _is_read_beside(attribute, home)
    )
    return "the main process" if is_read else None


def _is_passed_on(name: str, frame: Frame, behind: int) -> bool:
    """Whether a function returns what a variable holds, or passes it on."""
    whole = re.compile(rf"(?<![\w.]){re.escape(name)}\b(?!\s*(?:[.\[]|=(?!=)))")
    return whole.search(frame.module.code, behind, frame.function.span.end) is not None


def _is_read_elsewhere(attribute: str, boundary: BoundaryCall, linker: Linker, home: Frame | None) -> bool:
    """Whether other functions of the module read an attribute, and do not only store or fill it."""
    module, workers = boundary.frame.module, (each.facts.span for each in _in_workers(boundary, linker))
    around = [home.function.span] if home is not None and home.module is module else []
    return _is_read_in(attribute, module, (boundary.frame.function.span, *workers, *around))


def _is_read_beside(attribute: str, home: Frame) -> bool:
    """The same for the module of a function which names what is to be filled."""
    return _is_read_in(attribute, home.module, (home.function.span,))


def _is_read_in(attribute: str, module: Module, own: tuple[Span, ...]) -> bool:
    reads = re.finditer(rf"\.{re.escape(attribute)}\b(?!\s*(?:=(?!=)|:\s|\.\s*(?:{_FILLING})\b))", module.code)
    places = (found.start() for found in reads)
    return any(not any(span.start <= place < span.end for span in own) for place in places)


def _in_workers(boundary: BoundaryCall, linker: Linker) -> Iterator[WorkerFunction]:
    for each in linker.worker_codes():
        if each.boundary is not None and each.boundary.call is boundary.call:
            yield from (function for function in each.functions if function.module is boundary.frame.module)


def _called(starter: FunctionFacts) -> str:
    return "the main guard" if starter.is_module_body else f"`{starter.name}()`"


class _Holder(Struct, frozen=True):
    """A variable that holds an argument of workers, and the place of its function behind which they have started."""

    name: str
    frame: Frame
    behind: int


def _holders(name: str, frame: Frame, behind: int) -> Iterator[_Holder]:
    """The variable that is passed to workers, and those of callers that pass it on to the function which does."""
    yield _Holder(name, frame, behind)
    while name in frame.bindings and name not in frame.function.variables and frame.called_by is not None:
        caller, call = frame.called_by
        passed = _name_passed(frame.bindings[name], call, caller)
        if passed is None:
            return
        name, frame, behind = passed, caller, call.span.end
        yield _Holder(name, frame, behind)


def _name_passed(bound: Bound, call: Call, caller: Frame) -> str | None:
    """The variable of a caller that a parameter is bound to."""
    written = call_as_written(call, caller)
    if written is None or bound.frame is not caller or len(call.arguments) != len(written.args) + len(written.keywords):
        return None
    given = arguments_of(written)
    named = [each for each, argument in zip(given, call.arguments, strict=True) if argument.value is bound.expr]
    return named[0].id if len(named) == 1 and isinstance(named[0], ast.Name) else None


def _given(boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[int, AbstractValue]]:
    """The arguments by their places."""
    task = task_call(boundary)
    for at, argument in enumerate((task.positional() or ()) if task is not None else ()):
        values = [each.value for each in linker.evaluate(argument, boundary.frame)]
        yield from ((at, each) for each in values if len(values) == 1)
    for crossing in linker.shipped_by(boundary):
        place = place_in_args(crossing.path)
        if place is not None:
            yield place, crossing.value


def _is_empty(value: AbstractValue) -> bool:
    """Whether it is an empty container: one that has something may be changed by each worker for itself."""
    return isinstance(value, ContainerValue) and value.kind in FILLABLE and not value.slots


def _has_parts(value: AbstractValue) -> bool:
    """Whether a part of it that workers change is lost. An empty list or dict has none: where workers do change one,
    the main process has put it in, and nobody knows whether processes share it."""
    return not _is_empty(value) or (isinstance(value, ContainerValue) and value.kind in _MAKES_ITEMS)


def _is_new_array(value: Expr | None, frame: Frame, linker: Linker) -> bool:
    """Whether what a variable holds is nothing but an array without values yet."""
    made = without_narrowing(value) if value is not None else None
    if not isinstance(made, Call):
        return False
    return any(_ARRAYS.fullmatch(path) for path in external_names(made.function, frame, linker))


def _changed(parameter: str, function: WorkerFunction, has_parts: bool, linker: Linker) -> Span | None:
    """Where a function puts something into what a parameter holds, or into a part of that if it `has_parts`, or calls
    one that does; None if it binds the name anew, or gives it back."""
    facts = function.facts

    def is_it(value: Expr) -> bool:
        return _is_it(value, parameter)

    if parameter in facts.variables or any(_is_it(each, parameter) for each in facts.returns):
        return None
    for event in facts.events:
        match event:
            case ItemStore(target=target) if is_it(whole_of(target) if has_parts else target):
                return event.span
            case Called(call=call) if changes_in_place(call, function.frame, is_it, has_parts, linker):
                return event.span
            case _:
                pass
    return None


def _is_it(value: Expr, parameter: str) -> bool:
    inner = without_narrowing(value)
    return isinstance(inner, Parameter) and inner.name == parameter


def _is_read_later(holder: _Holder, linker: Linker, but: str = "") -> bool:
    """Whether code behind the start of the workers uses the variable for more than to pass it to workers."""
    module, starter = holder.frame.module, holder.frame.function
    calls = [each for each in linker.boundary_calls() if each.frame.function is starter]
    tasks = [task for each in calls for task in (task_call(each),) if task is not None]
    others = [each.span for each in (*(each.call for each in calls), *tasks)]
    none = rf"\s*=[^=]|{but}" if but else r"\s*=[^=]"
    uses = re.finditer(rf"(?<![\w.])(?<!\bdel ){re.escape(holder.name)}\b(?!{none})", module.code[: starter.span.end])
    until = _bound_anew(holder)
    later = (use.start() for use in uses if holder.behind <= use.start() < until)
    return any(not any(span.start <= use < span.end for span in others) for use in later)


def _bound_anew(holder: _Holder) -> int:
    """Where the variable surely gets another value behind the start of the workers; else the end of the function."""
    code, end = holder.frame.module.code, holder.frame.function.span.end
    begin = code.rfind("\n", 0, holder.behind) + 1
    indent = len(code[begin:]) - len(code[begin:].lstrip(" \t"))
    for found in re.compile(_BINDING.format(name=re.escape(holder.name)), re.MULTILINE).finditer(
        code, holder.behind, end
    ):
        if len(found[1]) <= indent:
            return code.find("\n", found.end()) if "\n" in code[found.end() :] else end
    return end
