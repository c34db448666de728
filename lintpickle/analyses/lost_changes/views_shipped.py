"""Arrays that show shared memory or a file and that a process gets as it starts, in an argument, however that was got
out of an object or a list, or as an attribute of an object: of these it has copies, and fills them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.lost_changes.argument_changes import ArgumentChanged, read_by_parent
from lintpickle.analyses.lost_changes.shared_views import View, looped_over, shared_view, shows_memory
from lintpickle.analyses.lost_changes.views_filled import where_filled_in_worker
from lintpickle.analyses.workers.parts_given import GivenPart, parts_given
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Attribute, Call, Expr, Item, Name, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.interpreter.held import Held
from lintpickle.parsing.assigned import variable_of
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_DOTTED = re.compile(r"\w+(?:\.\w+)+")
_NONE = re.compile(r"(?!)")
_ENDING = "close|unlink|release|shutdown|cleanup|flush|join"
"""What is done to an object that has shared memory when nobody reads it any more."""


def views_shipped_filled(code: WorkerCode, linker: Linker) -> Iterator[ArgumentChanged]:
    """Those that the code which starts the process reads later, and all that show a file."""
    boundary = code.boundary
    for given in parts_given(code, linker) if boundary is not None else ():
        view = shared_view(given.value, given.frame, linker)
        filling = where_filled_in_worker(given, code, linker) if view is not None else None
        if boundary is None or filling is None:
            continue
        names = _names(given, boundary, linker)
        if view is View.FILE:
            whole, _ = next(names, (given.parameter, ""))
            name = whole if given.is_own else ".".join((whole, *given.path))
            yield ArgumentChanged(filling.function, filling.written, name, filling.span, None, view)
            continue
        for name, but in names:
            reader = read_by_parent(name, boundary, linker, rf"\s*\.\s*(?:{but})\b")
            if reader is not None:
                yield ArgumentChanged(filling.function, filling.written, name, filling.span, reader, view)
                break


def _names(given: GivenPart, boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[str, str]]:
    """How the code that starts the process writes what the array is got out of (`table`), or an array of its own object
    (`self.rows`); each with the attributes that are not about the array, as a pattern."""
    for name, value in _written(given.holder, boundary):
        if given.is_own:
            yield ".".join((name, *given.path)), _ENDING
        yield name, _others(value, boundary, linker)


def _written(value: Expr, boundary: BoundaryCall) -> Iterator[tuple[str, Expr]]:
    """The variables, and attributes of these, by which an expression is got, the whole expression first."""
    inner = without_narrowing(value)
    code, function = boundary.frame.module.code, boundary.frame.function
    match inner:
        case Parameter(name=name) | Name(name=name):
            yield name, inner
        case Attribute(base=base, span=span):
            text = code[span.start : span.end]
            if _DOTTED.fullmatch(text):
                yield text, inner
            yield from _written(base, boundary)
        case Item():
            yield from _written(looped_over(inner), boundary)
        case Call(function=called, arguments=arguments):
            variable = variable_of(code, inner.span, function.span.start)
            if variable is not None:
                yield variable, inner
            if isinstance(without_narrowing(called), Attribute):
                yield from _written(called, boundary)
            for each in arguments[:1]:
                yield from _written(each.value, boundary)
        case _:
            pass


def _others(value: Expr, boundary: BoundaryCall, linker: Linker) -> str:
    """The attributes of an object that are not about an array of its own: those that hold something else, and methods
    which use none that holds one."""
    found = [traced.value for traced in linker.evaluate(value, boundary.frame)]
    owner = found[0] if len(found) == 1 else None
    if not isinstance(owner, InstanceValue):
        return _ENDING
    state = [each for each in linker.classes.states.state(owner) if each.direct]
    about = {each.attribute for each in state if _is_about_array(each, linker)}
    line = [each for each in linker.classes.mro(owner) if isinstance(each, ClassValue)]
    methods = {name: (each.module, method) for each in reversed(line) for name, method in each.facts.methods.items()}
    using = set(about)
    while True:
        form = re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, sorted(using)))})\b") if using else _NONE
        more = {
            name
            for name, (module, method) in methods.items()
            if name not in using and form.search(module.code, method.header.end, method.span.end)
        }
        if not more:
            break
        using |= more
    others = {each.attribute for each in state} | set(methods)
    return "|".join((_ENDING, *map(re.escape, sorted(others - using))))


def _is_about_array(held: Held, linker: Linker) -> bool:
    return shared_view(held.value, held.frame, linker) is not None or shows_memory(held.value, held.frame, linker)
