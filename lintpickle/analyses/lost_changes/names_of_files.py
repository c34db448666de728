"""What a file is called by the code of workers, if it is one file for all of them: the same text for the same file, by
whatever variables and parameters a function comes to it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lintpickle.analyses.workers.at_once import innermost_loop, is_one_for_all
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import (
    Attribute,
    Call,
    Constant,
    Data,
    Expr,
    Item,
    Name,
    Parameter,
    Sum,
    ending_name,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import Bound, ConstantValue, Frame, FunctionValue, InstanceValue, Site
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.resolution.declared_globals import is_set_by_functions

_OF_ONE = re.compile(
    r"(?i)pid|rank|uuid|ident|current_process|thread|mk[sd]?temp|Temporary|worker|random|\btime\b|strftime|\bnow\b"
)
"""What stands in a name that is another one in each worker, or in each task."""
_STORED = r"(?:^|\.|\s){0}\s*(?::[^=\n]+)?=(?!=)([^\n]*)"
_DEEPEST = 12
"""How many steps a name is followed through."""


class FileNames:
    """The names of files in the code that the workers of one boundary run."""

    def __init__(self, code: WorkerCode, linker: Linker) -> None:
        self._code, self._linker = code, linker
        boundary = code.boundary
        shipped = linker.shipped_by(boundary) if boundary is not None else ()
        elements = tuple(each.lstrip("*") for each in boundary.spec.elements) if boundary is not None else ()
        self._of_tasks = {
            id(each.value.call)
            for each in shipped
            if elements and isinstance(each.value, InstanceValue) and each.path.startswith(elements)
        }

    def of(self, value: Expr, frame: Frame, depth: int = _DEEPEST) -> str | None:
        """What a file is called; None if each task or worker may have another one, or nothing is known."""
        inner = without_narrowing(value)
        if depth == 0:
            return None
        match inner:
            case Constant(value=constant):
                return repr(constant)
            case Name(name=name):
                return self._of_global(name, frame)
            case Parameter(name=name, owner=owner):
                home = frame.enclosing(owner)
                return self._of_parameter(name, home, depth - 1) if home is not None else None
            case Attribute(base=base, name=name):
                held = self.of(base, frame, depth - 1)
                return f"{held}.{name}" if held is not None and not self._is_of_one(name, base, frame) else None
            case Item(base=base, key=Constant(value=key)):
                held = self.of(base, frame, depth - 1)
                return f"{held}[{key!r}]" if held is not None else None
            case Call(function=function, arguments=arguments):
                given = [each.value for each in arguments]
                if isinstance(function, Attribute):
                    given.insert(0, function.base)
                called = ending_name(function) or ""
                if self._is_run_by_workers(frame) and self._hides_one(called, function, frame):
                    return None
                return self._joined(called, given, frame, depth)
            case Sum(parts=parts) | Data(parts=parts) if parts:
                return self._joined("", parts, frame, depth)
            case _:
                return None

    def _joined(self, called: str, parts: Iterable[Expr], frame: Frame, depth: int) -> str | None:
        named = [self.of(each, frame, depth - 1) for each in parts]
        texts = [each for each in named if each is not None]
        return f"{called}({', '.join(texts)})" if len(texts) == len(named) else None

    def _of_global(self, name: str, frame: Frame) -> str | None:
        """A name of a module that no function gives another value, and that is none of one process."""
        module = frame.module
        is_other = is_set_by_functions(name, module) or _is_stored_for_one(name, module.code)
        return None if is_other else f"{module.path}:{name}"

    def _of_parameter(self, name: str, frame: Frame, depth: int) -> str | None:
        bound = frame.bindings.get(name)
        if bound is None or (bound.expr is None and bound.value is None):
            bound = self._given_at_start(name, frame)
        match bound:
            case Bound(value=InstanceValue() as instance):
                return self._of_object(instance, depth)
            case Bound(value=ConstantValue(value=constant)):
                return repr(constant)
            case Bound(expr=Expr() as given, frame=Frame() as caller):
                found = [each.value for each in self._linker.evaluate(given, caller)]
                if len(found) == 1 and isinstance(found[0], InstanceValue):
                    return self._of_object(found[0], depth)
                return self.of(given, caller, depth) or self._of_main(name, frame)
            case _:
                return self._of_main(name, frame)

    def _of_main(self, name: str, frame: Frame) -> str | None:
        """A parameter of the function of the main process that starts the workers, if no loop calls that."""
        boundary = self._code.boundary
        is_starting = boundary is not None and boundary.frame.function is frame.function
        is_called_once = all(innermost_loop(each) is None for each in self._code.way[1:])
        return f"{frame.function.qualname}:{name}" if is_starting and is_called_once else None

    def _is_run_by_workers(self, frame: Frame) -> bool:
        return any(each.facts is frame.function for each in self._code.functions)

    def _given_at_start(self, name: str, frame: Frame) -> Bound | None:
        """What the boundary gives for a parameter of the function with which the workers begin."""
        boundary = self._code.boundary
        is_entry = any(each.entry and each.facts is frame.function for each in self._code.functions)
        if boundary is None or not is_entry or frame.called_by is not None:
            return None
        return _argument(name, frame, boundary)

    def _of_object(self, instance: InstanceValue, depth: int) -> str | None:
        """An object that all workers have a copy of, or that each makes of the same things."""
        call, made_in = instance.call, instance.frame
        if call is None or made_in is None or id(call) in self._of_tasks:
            return None
        if self._is_run_by_workers(made_in):
            given = [each.value for each in call.arguments] if isinstance(call, Call) else []
            return self._joined(instance.class_.facts.qualname, given, made_in, depth)
        made = Site(made_in.module, call.span)
        is_shared = is_one_for_all(made, made_in, self._code)
        return f"{made.module.path}:{made.span.start}" if is_shared else None

    def _is_of_one(self, attribute: str, base: Expr, frame: Frame) -> bool:
        """Whether code gives an attribute of that name something of one process."""
        found = [each.value for each in self._linker.evaluate(base, frame)]
        modules = [each.class_.module for each in found if isinstance(each, InstanceValue)] or [frame.module]
        return any(_is_stored_for_one(attribute, each.code) for each in modules)

    def _hides_one(self, called: str, function: Expr, frame: Frame) -> bool:
        """Whether the name of what a function gives may be that of one process."""
        if _OF_ONE.search(called):
            return True
        found = [each.value for each in self._linker.evaluate(function, frame)]
        bodies = [(each.module.code, each.facts.span) for each in found if isinstance(each, FunctionValue)]
        return any(_OF_ONE.search(code, span.start, span.end) for code, span in bodies)


def _is_stored_for_one(name: str, code: str) -> bool:
    stored = re.finditer(_STORED.format(re.escape(name)), code)
    return any(_OF_ONE.search(each[1]) is not None for each in stored)


def _argument(name: str, frame: Frame, boundary: BoundaryCall) -> Bound | None:
    """What stands at the place of a parameter among the arguments that a boundary is given."""
    written = boundary.written_args
    for place in range(len(frame.function.parameters)):
        if parameter_at(place, frame.function, boundary.spec) == name:
            return Bound(*written[place]) if place < len(written) else boundary.arguments.get(f"args[{place}]")
    return None
