"""Where the main process has what a worker has sent back: the functions that get at results of a boundary, each with
the forms that these have in it (`result_forms`).

All ways are known here: iterating `pool.imap(…)`, `future.result()`, `AsyncResult.get()`, `as_completed` and `wait`,
`await`, and callbacks; also where functions of the program hand these on, keep them in objects, or yield them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.analyses.results.forms_made import IN_EACH, ResultForm, form_of_each
from lintpickle.analyses.results.result_forms import HANDLE, PAIR, ResultForms, parts_of_path
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Call, Expr
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ExternalValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.callees import callees
from lintpickle.parsing.syntax import arguments_of, dotted
from lintpickle.payload.iterated_loaders import PROGRESS_BARS
from lintpickle.payload.linker import Linker

_CALLBACK = "callback"
_GIVES_HANDLE = frozenset({"submit", "schedule", "run_in_executor", "apply_async", "map_async", "starmap_async"})
AS_COMPLETED = frozenset({"concurrent.futures.as_completed", "asyncio.as_completed"})
"""Functions that give futures in the order in which they are done."""
_GATHERS = "asyncio.gather"
_WAITS = frozenset({"concurrent.futures.wait", "asyncio.wait"})
_WRAPS = frozenset({"asyncio.wrap_future", "asyncio.ensure_future", "asyncio.wait_for", "asyncio.shield"})
_GO_THROUGH = frozenset({"consume", "iterate"})
"""How the catalog says that a function makes an iterable of the elements of another one."""
_MIXED = frozenset({"builtins.zip", "builtins.map", "builtins.enumerate", "builtins.dict", "collections.Counter"})
"""Those of them that make other elements."""
_NONE: Mapping[ResultForm, InstanceValue] = MappingProxyType({})
_CALLERS, _DEEP, _MOST = 3, 4, 40
"""How many callers of the function that has the boundary are followed, how many calls from each, and how many
functions in all."""


class Reader(Struct, frozen=True, eq=False):
    """A function of the main process that may have results, the forms of its expressions, and how it comes to them."""

    frame: Frame
    forms: ResultForms
    is_callback: bool = False
    is_passed_on: bool = False


class ResultReaders:
    """The functions that get the part `path` of the results of a boundary, written as trails do. `around` are the
    objects in a result that hold this part, by the steps that lead from each to it: what their methods ask is asked of
    the part."""

    def __init__(
        self, boundary: BoundaryCall, path: str, linker: Linker, around: Mapping[ResultForm, InstanceValue] = _NONE
    ) -> None:
        self._boundary = boundary
        self._path = parts_of_path(path)
        self._linker = linker
        self._around = around
        self._seen: dict[tuple[int, tuple[tuple[str, ResultForm], ...]], Reader | None] = {}

    def readers(self) -> Iterator[Reader]:
        """These functions: the callback, the function that has the boundary, its callers, and those that they call."""
        yield from self._callbacks(self._boundary.call.keyword(_CALLBACK), self._boundary.frame, self._given_back())
        made: tuple[Call, ResultForm] | None = (self._boundary.call, self._form())
        frame, given = self._boundary.frame, dict[str, ResultForm]()
        for _ in range(_CALLERS + 1):
            reader = self._reader(frame, given, made)
            if reader is None:
                return
            yield reader
            yield from self._properties(reader)
            yield from self._called(reader, _DEEP)
            if frame.called_by is None:
                return
            (caller, call), returned = frame.called_by, reader.forms.returned()
            given = dict(self._left_behind(reader, frame, caller, call))
            made = (call, returned) if returned is not None else None
            frame = caller

    def _given_back(self) -> ResultForm:
        """What the callback of the boundary gets."""
        form = self._form()
        return form[1:] if form[:1] == (HANDLE,) else form

    def _form(self) -> ResultForm:
        """What the call of the boundary gives."""
        method, elements = self._boundary.spec.name, self._boundary.spec.elements
        handle = (HANDLE,) if method in _GIVES_HANDLE else ()
        return (*handle, *((IN_EACH,) if elements else ()), *self._path)

    def _reader(
        self,
        frame: Frame,
        given: Mapping[str, ResultForm],
        made: tuple[Call, ResultForm] | None = None,
        is_callback: bool = False,
        is_passed_on: bool = False,
    ) -> Reader | None:
        source = source_tree(frame.module.code)
        if source is None or not frame.module.first_party:
            return None
        calls = {each.span: each.call for each in frame.function.events if isinstance(each, Called)}

        def asked(node: ast.Call, forms: ResultForms) -> ResultForm | None:
            span = forms.source.span(node)
            if made is not None and span == made[0].span:
                return made[1]
            return self._of_call(node, calls[span], frame, forms) if span in calls else None

        return Reader(frame, ResultForms(source, frame.function.span, given, asked), is_callback, is_passed_on)

    def _of_call(self, node: ast.Call, call: Call, frame: Frame, forms: ResultForms) -> ResultForm | None:
        """What a call gives of results that its arguments, or the object whose method it calls, have."""
        first = forms.of(node.args[0]) if node.args else None
        if first is None and not self._handed(node, forms):
            return None
        for traced in self._linker.evaluate(call.function, frame):
            match traced.value:
                case ExternalValue(path=path) if first is not None:
                    return self._of_library(path, first)
                case FunctionValue() as callee:
                    inner = self._entered(callee, node, call, frame, forms)
                    return inner.forms.returned() if inner is not None else None
                case _:
                    pass
        return None

    def _of_library(self, path: str, first: ResultForm) -> ResultForm | None:
        if path in _WRAPS:
            return first
        each = form_of_each(first)
        if each is None:
            return None
        if path == _GATHERS:
            return (HANDLE, IN_EACH, *each[1:]) if each[:1] == (HANDLE,) else None
        if path in _WAITS:
            return (PAIR, IN_EACH, *each) if path.startswith("c") else (HANDLE, PAIR, IN_EACH, *each)
        is_known = path in AS_COMPLETED or path.rpartition(".")[2] in PROGRESS_BARS
        is_known = is_known or self._linker.catalog.converter(path) in _GO_THROUGH
        return (IN_EACH, *each) if is_known and path not in _MIXED else None

    def _called(self, reader: Reader, deep: int) -> Iterator[Reader]:
        """The functions that a function hands results on to."""
        calls = {each.span: each.call for each in reader.frame.function.events if isinstance(each, Called)}
        for node in reader.forms.calls() if deep else ():
            call = calls.get(reader.forms.source.span(node))
            if call is None or not self._handed(node, reader.forms):
                continue
            match node:
                case ast.Call(func=ast.Attribute(value=future, attr="add_done_callback")):
                    form, callback = reader.forms.of(future), (call.positional() or (None,))[0]
                    if form is not None:
                        yield from self._callbacks(callback, reader.frame, form)
                    continue
                case _:
                    pass
            called = (traced.value for traced in self._linker.evaluate(call.function, reader.frame))
            functions = [each for each in called if isinstance(each, FunctionValue)]
            functions = functions or list(callees(call, reader.frame, self._linker.evaluator))
            for callee in functions or self._methods_of_objects(node.func, reader):
                inner = self._entered(callee, node, call, reader.frame, reader.forms)
                if inner is not None:
                    yield inner
                    yield from self._called(inner, deep - 1)

    def _methods_of_objects(self, function: ast.expr, reader: Reader) -> Iterator[FunctionValue]:
        """The method that is called of an object which came back."""
        match function:
            case ast.Attribute(value=owner, attr=name) if self._around:
                held = self._around.get(reader.forms.of(owner) or ())
                method = self._linker.classes.find_method(held, name) if held is not None else None
                if method is not None and held is not None:
                    yield FunctionValue(method[0].module, method[1], method[0].frame, held)
            case _:
                pass

    def _properties(self, reader: Reader) -> Iterator[Reader]:
        """The properties that a function reads of objects which came back."""
        for node in reader.forms.nodes if self._around else ():
            form = reader.forms.of(node.value) if isinstance(node, ast.Attribute) else None
            held = self._around.get(form) if form else None
            if held is None or not isinstance(node, ast.Attribute) or form is None:
                continue
            getter = self._linker.classes.find_property(held, node.attr)
            frame = frame_of_method(getter, held, self._linker) if getter is not None else None
            if frame is None or (id(frame.function), ()) in self._seen or not frame.function.parameters:
                continue
            inner = self._reader(frame, {frame.function.parameters[0].name: form}, is_passed_on=True)
            self._seen[(id(frame.function), ())] = inner
            if inner is not None:
                yield inner

    def _entered(
        self, callee: FunctionValue, node: ast.Call, call: Call, frame: Frame, forms: ResultForms
    ) -> Reader | None:
        """A function of the program as a call enters it, if that gives it results."""
        if not callee.module.first_party:
            return None
        given = self._handed_as(callee, node, forms)
        key = (id(callee.facts), tuple(sorted(given.items())))
        if key not in self._seen:
            if not given or len(self._seen) >= _MOST:
                return None
            self._seen[key] = None
            inner = self._linker.evaluator.enter(callee, call, frame)
            self._seen[key] = self._reader(inner, given, is_passed_on=True) if inner is not None else None
        return self._seen[key]

    def _handed(self, node: ast.Call, forms: ResultForms) -> bool:
        """Whether a call gives a function results, or calls a method of something that has some."""
        values = arguments_of(node)
        owners = (node.func.value,) if isinstance(node.func, ast.Attribute) else ()
        return any(forms.of(each) is not None or forms.within(dotted(each)) for each in (*owners, *values))

    def _handed_as(self, callee: FunctionValue, node: ast.Call, forms: ResultForms) -> dict[str, ResultForm]:
        """What the parameters of a function, and attributes of these, have of results, as the function writes them."""
        parameters = [each.name for each in callee.facts.parameters]
        values: list[tuple[str, ast.expr]] = []
        if callee.bound is not None and parameters:
            if isinstance(node.func, ast.Attribute):
                values.append((parameters[0], node.func.value))
            parameters = parameters[1:]
        if not any(isinstance(each, ast.Starred) for each in node.args):
            values += zip(parameters, node.args, strict=False)
        values += [(each.arg, each.value) for each in node.keywords if each.arg in parameters]
        found: dict[str, ResultForm] = {}
        for name, value in values:
            form = forms.of(value)
            if form is not None:
                found[name] = form
            owner = dotted(value)
            found.update({name + behind: form for behind, form in (forms.within(owner) if owner else {}).items()})
        return found

    def _left_behind(self, reader: Reader, frame: Frame, caller: Frame, call: Call) -> Iterator[tuple[str, ResultForm]]:
        """What a function has put into its arguments, or into its object, as its caller writes it."""
        source = source_tree(caller.module.code)
        nodes = source.nodes_within(call.span) if source is not None else ()
        node = next((each for each in nodes if isinstance(each, ast.Call)), None)
        parameters = [each.name for each in frame.function.parameters]
        if node is None:
            return
        values = list(node.args)
        is_bound = any(
            isinstance(each.value, FunctionValue) and each.value.bound is not None
            for each in self._linker.evaluate(call.function, caller)
        )
        if is_bound and isinstance(node.func, ast.Attribute):
            values.insert(0, node.func.value)
        for name, value in zip(parameters, values, strict=False):
            owner = dotted(value)
            if owner:
                yield from ((owner + behind, form) for behind, form in reader.forms.within(name).items())

    def _callbacks(self, given: Expr | None, frame: Frame, form: ResultForm) -> Iterator[Reader]:
        """The functions of the program that are called with something that has results."""
        for traced in self._linker.evaluate(given, frame) if given is not None else ():
            callback = traced.value
            if not isinstance(callback, FunctionValue) or not callback.module.first_party:
                continue
            inner = Frame(callback.module, callback.facts, parent=callback.frame)
            if isinstance(callback.bound, InstanceValue):
                method = self._linker.classes.find_method(callback.bound, callback.facts.name)
                found = frame_of_method(method, callback.bound, self._linker) if method is not None else None
                inner = found or inner
            names = callback.names_to_give
            reader = self._reader(inner, {names[0]: form}, is_callback=True) if names else None
            if reader is not None:
                yield reader
                yield from self._called(reader, _DEEP)
