"""Reading the worker side: from what crosses at a boundary to every function that its workers run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.task_calls import task_call
from lintpickle.diagnostics import Span
from lintpickle.facts.records import FunctionFacts, Implied
from lintpickle.facts.values import (
    Attribute,
    Call,
    Expr,
    Item,
    Parameter,
    is_made_by_a_call,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    ClassValue,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    Hop,
    InstanceValue,
    Site,
)
from lintpickle.interpreter.callees import as_method
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.partials import without_partials
from lintpickle.interpreter.reducers import rebuilding
from lintpickle.interpreter.run_by_constructors import run_by_constructor
from lintpickle.limits import DEPTH, WORKER_CALLS, WORKER_FUNCTIONS
from lintpickle.parsing.imports import ImportedName
from lintpickle.payload.contents_asked import names_asked
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.entry_arguments import (
    UNKNOWN_ARGUMENTS,
    entry_arguments,
    is_given_to_partial,
    is_of_partial,
    objects_given_first,
    task_arguments,
)
from lintpickle.payload.functions_by_name import functions_chosen
from lintpickle.payload.getters import is_getter, is_of_properties, names_got, objects_led_to
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.payload.spread_arguments import with_all_spread
from lintpickle.payload.worker_side import (
    WorkerCode,
    WorkerFunction,
    calls_in,
    calls_made,
    functions_called,
    properties_read,
    put_around,
)
from lintpickle.program.module import Module
from lintpickle.program.program import Program

_CONTAINS = "__contains__"
_METHODS_OF_DATA = frozenset(name for kind in (dict, list, set, str, bytes, int, float) for name in dir(kind))


def worker_code(
    root: Root, boundary: BoundaryCall | None, crossings: Sequence[Crossing], linker: LinkedProgram
) -> WorkerCode:
    """Collect the worker side from what crosses: methods that workers call on payload objects, functions that are
    passed, and everything that these call in known code."""
    reader = _Reader(linker, crossings, root, boundary)
    for crossing in crossings:
        reader.enter(crossing)
    reader.follow()
    return WorkerCode(root, boundary, tuple(reader.functions), linker.evaluator.cuts.hide)


def called_parts(crossings: Sequence[Crossing], linker: LinkedProgram) -> tuple[WorkerFunction, ...]:
    """What objects do that a library may call which holds them (`Compose([Flip(), Crop(9)])`), and everything that this
    calls in known code."""
    reader = _Reader(linker, crossings)
    for crossing in crossings:
        if isinstance(crossing.value, InstanceValue):
            reader.enter_methods(crossing.value, ("__call__", "forward"), crossing.hops)
    reader.follow()
    return tuple(reader.functions)


def code_of(
    function: FunctionValue, arguments: Arguments, hops: tuple[Hop, ...], linker: LinkedProgram
) -> tuple[WorkerFunction, ...]:
    """A function that is called with some arguments, and everything that it calls in known code; `hops` lead to it."""
    reader = _Reader(linker, ())
    reader.enter_function(function, arguments, hops)
    reader.follow()
    return tuple(reader.functions)


_EXPOSED = "exposed"
"""A parameter of what registers a class with a manager, whose process runs what is called by way of proxies: unless it
is given, all public methods."""


class _Reader:
    def __init__(
        self,
        linker: LinkedProgram,
        crossings: Sequence[Crossing],
        root: Root | None = None,
        boundary: BoundaryCall | None = None,
    ) -> None:
        self._linker = linker
        self._boundary = boundary
        self._crossings = crossings
        self._root = root
        self._seen: set[int] = set()
        self.functions: list[WorkerFunction] = []

    def enter(self, crossing: Crossing) -> None:
        match crossing.value:
            case InstanceValue() as instance:
                kind = self._linker.classes.kind(instance) or ""
                methods = self._linker.catalog.worker_methods(kind)
                entry = "." not in crossing.path
                if not methods and entry and crossing.role in _called(crossing):
                    methods = ("__call__",)
                    entry = not is_given_to_partial(crossing, self._crossings)
                self.enter_methods(instance, methods, crossing.hops, entry)
                self._enter_on_arrival(instance, crossing.hops)
            case FunctionValue() as function if crossing.role in _called(crossing):
                task = task_call(self._boundary) if self._boundary is not None else None
                if task is None or self._boundary is None or crossing.path != crossing.role:
                    arguments = entry_arguments(crossing, self._crossings)
                    if self._boundary is not None and crossing.path == crossing.role:
                        arguments = with_all_spread(arguments, self._boundary, self._linker.evaluator)
                else:
                    arguments = task_arguments(task, self._boundary.frame, self._linker.evaluator)
                is_partial = is_of_partial(crossing, self._crossings)
                self._add_entry(function, crossing.hops, crossing.path == crossing.role, arguments, is_partial)
            case ContainerValue() as getter if is_getter(getter) and crossing.role in _called(crossing):
                if crossing.path == crossing.role:
                    self._enter_what_is_got(getter, crossing)
            case ClassValue() as class_ if crossing.role in _called(crossing):
                self.enter_methods(InstanceValue(class_), ("__init__",), crossing.hops, crossing.path == crossing.role)
                if crossing.root.spec is not None and _EXPOSED in crossing.root.spec.parameters:
                    public = (name for name in class_.facts.methods if not name.startswith("_"))
                    self.enter_methods(InstanceValue(class_), public, crossing.hops)
            case _:
                pass

    def _enter_what_is_got(self, getter: ContainerValue, crossing: Crossing) -> None:
        """Take in the methods that a `methodcaller` calls, and the properties that an `attrgetter` reads, of what it is
        given."""
        for *way, name in names_got(getter):
            for given in objects_given_first(crossing, self._crossings):
                for instance in objects_led_to(given, tuple(way), crossing.site, self._linker):
                    is_property = self._linker.classes.find_property(instance, name) is not None
                    if is_property == is_of_properties(getter):
                        self.enter_methods(instance, (name,), crossing.hops, entry=True)

    def _enter_on_arrival(self, instance: InstanceValue, hops: tuple[Hop, ...]) -> None:
        """Take in what unpickling calls: `__setstate__`, and what a reducer of the class names."""
        self.enter_methods(instance, ("__setstate__",), hops)
        evaluator = self._linker.evaluator
        for traced in without_partials(rebuilding(instance, evaluator), evaluator):
            match traced.value:
                case FunctionValue() as function:
                    self._add_entry(function, hops, False)
                case ClassValue() as class_:
                    self.enter_methods(InstanceValue(class_), ("__init__",), hops)
                case _:
                    pass

    def enter_function(self, function: FunctionValue, arguments: Arguments, hops: tuple[Hop, ...]) -> None:
        """Take in a function that is called with some arguments."""
        self._add_entry(function, hops, True, arguments)

    def enter_methods(
        self, instance: InstanceValue, names: Iterable[str], hops: tuple[Hop, ...], entry: bool = False
    ) -> None:
        """Take in the methods of some names that an object has; see `_add_entry`."""
        for name in names:
            found = self._linker.classes.find_method(instance, name)
            if found is not None:
                self._add_entry(as_method(found, instance), hops, entry)

    def _add_entry(
        self,
        function: FunctionValue,
        hops: tuple[Hop, ...],
        entry: bool,
        arguments: Arguments = UNKNOWN_ARGUMENTS,
        is_partial: bool = False,
    ) -> None:
        """Take in what the payload holds; `entry` says whether the worker itself calls it, with these arguments, and
        `is_partial` whether it calls a partial of it."""
        facts, name = function.facts, function.facts.qualname.rpartition(".<locals>.")[2]
        way = (*hops, Hop(f"{name} runs in the worker", Site(function.module, facts.header))) if entry else hops
        if not self._is_known_or_too_far(function, hops):
            self._add(function, way, facts.name if entry or is_partial else None, entry, arguments, is_partial)

    def _add(
        self,
        function: FunctionValue,
        hops: tuple[Hop, ...],
        entered_by: str | None,
        entry: bool = False,
        arguments: Arguments = UNKNOWN_ARGUMENTS,
        of_partial: bool = False,
    ) -> None:
        evaluator = self._linker.evaluator
        frame = evaluator.activate(function, arguments, 2) or evaluator.activate(function, UNKNOWN_ARGUMENTS, 2)
        if frame is not None:
            module, facts = function.module, function.facts
            self.functions.append(WorkerFunction(module, facts, frame, hops, entry, entered_by, of_partial))

    def _is_known_or_too_far(self, function: FunctionValue, hops: tuple[Hop, ...]) -> bool:
        if id(function.facts) in self._seen or self._is_too_far(hops):
            return True
        self._seen.add(id(function.facts))
        return False

    def _is_too_far(self, hops: tuple[Hop, ...]) -> bool:
        """Whether a function is not looked at because so many are, or because the way to it is too long."""
        is_full = len(self.functions) > WORKER_FUNCTIONS.most
        limit = WORKER_FUNCTIONS if is_full else WORKER_CALLS if len(hops) > WORKER_CALLS.most else None
        if limit is not None:
            self._linker.evaluator.cuts.note(limit)
        return limit is not None

    def follow(self) -> None:
        index = 0
        while index < min(len(self.functions), WORKER_FUNCTIONS.most):
            caller = self.functions[index]
            index += 1
            for event in caller.facts.events:
                for call in calls_in(event):
                    made = calls_made(call, caller.frame, self._linker)
                    called = [callee for each in made for callee in self._callees(each, caller)]
                    for each, function, guessed in called:
                        self._enter_call(function, each, caller, guessed)
                    if called:
                        break
            self._follow_properties(caller)
            self._follow_properties_of_others(caller)
            self._follow_operators(caller)
            self._follow_decorators(caller)
            if self._linker.moving_to is not None:
                self._follow_contents(caller)
                self._follow_missing(caller)
        self._linker.evaluator.cuts.hide |= index < len(self.functions)

    def _follow_properties(self, caller: WorkerFunction) -> None:
        """Take in the properties that a method reads of its own object."""
        facts, code = caller.facts, caller.module.code
        bound = caller.frame.bindings.get(facts.parameters[0].name) if facts.parameters else None
        if bound is None or not isinstance(bound.value, InstanceValue) or not caller.module.first_party:
            return
        read = re.compile(rf"(?<![\w.]){re.escape(facts.parameters[0].name)}\.([^\W\d]\w*)(?!\w*\s*\()")
        for found in read.finditer(code, facts.header.end, facts.span.end):
            getter = self._linker.classes.find_property(bound.value, found[1])
            if getter is None:
                continue
            hops = (*caller.hops, Hop(f"reads {found[1]}", Site(caller.module, Span(*found.span()))))
            self._add_method(getter, bound.value, hops, caller)

    def _follow_properties_of_others(self, caller: WorkerFunction) -> None:
        """Take in the properties that a function reads of objects which it makes."""
        if not caller.module.first_party:
            return
        for event, made, getter in properties_read(caller.facts, caller.frame, self._linker):
            hops = (*caller.hops, Hop(f"reads {event.method}", Site(caller.module, event.span)))
            self._add_method(getter, made, hops, caller)

    def _follow_operators(self, caller: WorkerFunction) -> None:
        """Take in what `in` calls of a parameter, or of an element of one, of which nothing is known but what
        crosses."""
        for event in caller.facts.events if caller.module.first_party else ():
            if not isinstance(event, Implied) or event.method != _CONTAINS:
                continue
            hops = (*caller.hops, Hop("calls __contains__()", Site(caller.module, event.span)))
            held_by = _holding(event.target)
            if held_by is not None:
                given = self._linker.evaluator.evaluate(event.target, caller.frame)
                if any(traced.value is UNKNOWN for traced in given):
                    self._add_method_of_payload(held_by.name, hops, caller)

    def _follow_contents(self, caller: WorkerFunction) -> None:
        """Take in what `in` calls of an object of a module."""
        for asked in names_asked(caller) if caller.module.first_party else ():
            for traced in self._linker.evaluator.evaluate(asked, caller.frame):
                if not isinstance(traced.value, InstanceValue):
                    continue
                asking = self._linker.classes.find_method(traced.value, _CONTAINS)
                if asking is not None:
                    hops = (*caller.hops, Hop("calls __contains__()", Site(caller.module, asked.span)))
                    self._add_method(asking, traced.value, hops, caller)

    def _add_method_of_payload(self, parameter: str, hops: tuple[Hop, ...], caller: WorkerFunction) -> None:
        """Take in `__contains__` of what an unknown parameter may be, if one class of the objects that cross has it."""
        place = next(at for at, each in enumerate(caller.facts.parameters) if each.name == parameter)
        elsewhere = {f"args[{at}]" for at in range(len(caller.facts.parameters)) if at != place}
        values = (each.value for each in self._crossings if not (caller.entry and each.path in elsewhere))
        objects = [value for value in values if isinstance(value, InstanceValue)]
        asked = ((each, self._linker.classes.find_method(each, _CONTAINS)) for each in objects)
        having = {each.class_.key: (each, method) for each, method in asked if method is not None}
        for value, method in having.values() if len(having) == 1 else ():
            self._add_method(method, value, hops, caller)

    def _add_method(
        self,
        method: tuple[ClassValue, FunctionFacts],
        owner: InstanceValue,
        hops: tuple[Hop, ...],
        caller: WorkerFunction,
    ) -> None:
        """Take in a method of an object, which the class beside it defines."""
        function = as_method(method, owner)
        if not self._is_known_or_too_far(function, hops):
            self._add(function, hops, caller.entered_by)

    def _follow_decorators(self, caller: WorkerFunction) -> None:
        """Take in what decorators have put around a function that is called by its name."""
        for around in put_around(caller, self._linker):
            hops = (
                *caller.hops,
                Hop(f"{around.facts.name}() runs around it", Site(around.module, around.facts.header)),
            )
            if not self._is_known_or_too_far(around, hops):
                self._add(around, hops, caller.entered_by)

    def _follow_missing(self, caller: WorkerFunction) -> None:
        """Take in the `__getattr__` of a module that a function asks for what the module does not have."""
        module, span = caller.module, caller.facts.span
        for name in caller.facts.reads if module.first_party else ():
            imported = module.outline.imports.get(name)
            home = self._imported(imported, module) if imported is not None else None
            blocks = home.outline.binding("__getattr__") if home is not None else ()
            found = home.facts_of(blocks[0]) if home is not None and blocks else None
            facts = found.functions.get("__getattr__") if found is not None else None
            for read in re.finditer(rf"(?<![\w.]){re.escape(name)}\.(\w+)", module.code[span.start : span.end]):
                if home is not None and facts is not None and not _has(home, read[1], self._linker.program):
                    place = Site(module, Span(span.start + read.start(), span.start + read.end()))
                    hops = (*caller.hops, Hop(f"calls __getattr__() of {home.name}", place))
                    if not self._is_known_or_too_far(FunctionValue(home, facts), hops):
                        self._add(FunctionValue(home, facts), hops, caller.entered_by)
                    break

    def _imported(self, imported: ImportedName, module: Module) -> Module | None:
        source = module.absolute(imported, self._linker.program.finder)
        path = f"{source}.{imported.name}" if source and imported.name else source
        home = self._linker.program.find(path, module) if path else None
        return home if home is not None and home.first_party else None

    def _callees(self, call: Call, caller: WorkerFunction) -> Iterator[tuple[Call, FunctionValue, bool]]:
        """The functions that a call may run, each with the call that this amounts to, and whether that is a guess from
        its name."""
        evaluator = self._linker.evaluator
        for traced in evaluator.evaluate(call.function, caller.frame):
            called = functions_called(traced, call, caller.frame, self._linker)
            yield from ((call, function, False) for function in called)
            if isinstance(traced.value, ClassValue):
                made = run_by_constructor(traced.value, call, caller.frame, evaluator)
                yield from ((each, function, False) for function, each in made)
            if isinstance(traced.value, ExternalValue) and caller.module.first_party:
                home = traced.value.path.rpartition(".")[0]
                evaluator.cuts.hide |= bool(home) and self._linker.program.is_unread(home, caller.module)
            if traced.value is UNKNOWN:
                yield from ((call, function, True) for function in self._methods_named(call.function))
                if self._linker.moving_to is not None:
                    chosen = functions_chosen(call.function, caller, self._linker)
                    yield from ((call, function, True) for function in chosen)

    def _methods_named(self, function: Expr) -> Iterator[FunctionValue]:
        """The methods that an unknown object may have: those of that name of the objects that cross, if it is not made
        here. Those that data have, too, only tell of what depends on `fork`."""
        named = without_narrowing(function)
        is_told = (
            isinstance(named, Attribute)
            and not is_made_by_a_call(named.base)
            and (self._linker.moving_to is not None or named.name not in _METHODS_OF_DATA)
        )
        for crossing in self._crossings if is_told else ():
            if isinstance(crossing.value, InstanceValue) and isinstance(named, Attribute):
                found = self._linker.classes.find_method(crossing.value, named.name)
                if found is not None and found[0].module.first_party:
                    yield as_method(found, crossing.value)

    def _enter_call(self, function: FunctionValue, call: Call, caller: WorkerFunction, guessed: bool) -> None:
        held = self._only_held(function) if caller.entered_by is not None and not guessed else None
        if id(function.facts) in self._seen and held is None:
            return
        frame = self._linker.evaluator.enter(function, call, caller.frame)
        name = function.facts.qualname.rpartition(".<locals>.")[2]
        hop = Hop(f"calls {name}()", Site(caller.module, call.span), guessed)
        hops = (*caller.hops, hop)
        if frame is None or self._is_never_made(call, caller):
            is_too_deep = frame is None and caller.frame.depth >= DEPTH.most
            self._linker.evaluator.cuts.hide |= is_too_deep and function.module.first_party
            return
        called = WorkerFunction(function.module, function.facts, frame, hops, False, caller.entered_by)
        if held is not None:
            self.functions[held] = called
        elif not self._is_known_or_too_far(function, hops):
            self.functions.append(called)

    def _only_held(self, function: FunctionValue) -> int | None:
        """The place of a function that is a part of the payload, and that nothing which runs in the worker has been
        seen to call yet."""
        found = (index for index, each in enumerate(self.functions) if each.facts is function.facts)
        return next((index for index in found if self.functions[index].entered_by is None), None)

    def _is_never_made(self, call: Call, caller: WorkerFunction) -> bool:
        """Whether the workers never get to a call."""
        root = self._root
        return root is not None and self._linker.payload.is_never_reached(call.span, caller.frame, root)


def _holding(value: Expr) -> Parameter | None:
    """The parameter that an expression is, or an element of it is."""
    inner = without_narrowing(value)
    while isinstance(inner, Item):
        inner = without_narrowing(inner.base)
    return inner if isinstance(inner, Parameter) else None


def _has(module: Module, name: str, program: Program) -> bool:
    """Whether a module has an attribute of that name without being asked by its `__getattr__`."""
    is_special = name.startswith("__") or bool(module.outline.stars)
    is_bound = bool(module.outline.binding(name)) or name in module.outline.imports
    return is_special or is_bound or program.find(f"{module.name}.{name}", module) is not None


def _called(crossing: Crossing) -> tuple[str | None, ...]:
    return crossing.root.spec.functions if crossing.root.spec is not None else ()
