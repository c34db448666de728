"""Boundaries: calls at which objects are pickled, with their arguments by name."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache

from msgspec.structs import replace

from lintpickle.boundaries.asked_receivers import is_for_others
from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall, boundary_call
from lintpickle.boundaries.called_methods import CalledMethods
from lintpickle.boundaries.forked_by_request import is_task_of_processes
from lintpickle.boundaries.in_threads import is_run_by_threads
from lintpickle.boundaries.manager_registries import is_only_made, is_only_registered
from lintpickle.boundaries.own_machinery import doubts_of
from lintpickle.boundaries.processor_counts import counts_processors
from lintpickle.boundaries.run_in_place import is_made_to_run_in_place, is_run_in_place, may_run_in_place
from lintpickle.boundaries.set_together import is_made_without_workers
from lintpickle.boundaries.starting import Starting
from lintpickle.boundaries.unmade_runners import is_never_made
from lintpickle.boundaries.unstarted import is_never_started
from lintpickle.catalog import BoundarySpec
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, Choice, Expr, Super, without_narrowing
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    AbstractValue,
    Bound,
    ClassValue,
    ConstantValue,
    ContainerValue,
    Doubt,
    ExternalValue,
    Frame,
    InstanceValue,
    ModuleValue,
    ProductValue,
    Slot,
    TracedValue,
    is_indefinite,
    joined,
)
from lintpickle.interpreter.calls import merge_partial
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.fitting import fails_to_make
from lintpickle.interpreter.handed_methods import HANDED

_OF_CONTEXT = "mp-context()."
_PLAIN_CONTEXT = "multiprocessing."
"""How the path of a class begins that a context of multiprocessing gives."""
_PROCESS = "Process"
"""How the paths of what makes a process end."""
_PICKLER = "pickle_module"
"""The parameter with the module that pickles."""


class Boundaries:
    """Recognises boundary calls."""

    def __init__(self, evaluator: Evaluator, moving_to: StartMethod | None = None) -> None:
        self._evaluator = evaluator
        self.methods = CalledMethods(evaluator)
        self.moving_to = moving_to
        """The start method under which all is judged that fork starts now; None to judge it as it is."""
        self.starting = Starting(evaluator, self.methods, self.match, moving_to)

    def match(self, call: Call, frame: Frame, event: Called | None = None) -> Iterator[BoundaryCall]:
        """The boundaries that a call in a frame can be, whether or not the call is reached, each once: several values
        of what is called may be one (`submit` of either of two classes). Of several options for what is called
        (`Process if use_process else Thread`), those count that the arguments leave. A boundary that exists only if an
        import fails does not count: with the preferred package installed, there is another one, or none."""
        seen, known = set[str](), set[Hashable]()
        for callee in self._evaluator.given(call.function, frame):
            for boundary in self._match(callee.value, call, frame, event):
                if isinstance(call.function, Choice) and boundary.spec.path in seen:
                    continue  # It is a method of an object, which goes by how that is written, not by its value.
                seen.add(boundary.spec.path)
                doubts = joined(callee.doubts, boundary.doubts)
                what = (boundary.spec.path, boundary.spec.kind, boundary.callee, doubts)
                if Doubt.FALLBACK in doubts or (boundary.call is call and what in known):
                    continue
                known.add(what)
                yield replace(boundary, doubts=doubts)

    def made(self, event: Called, frame: Frame) -> Iterator[BoundaryCall]:
        """The boundaries that a call in a frame can be, each with the doubts about whether it is reached and has
        workers. Nothing if no run reaches the call, or nobody starts the process that it makes."""
        is_made = self._evaluator.conditions.reaches(event.span, frame)
        for boundary in self.match(event.call, frame, event) if is_made is not False else ():
            if self._makes_idle_process(boundary, event):
                continue
            is_sure = is_made or self._evaluator.conditions.is_done_anyway(boundary.call.span, frame)
            doubts = () if is_sure else (Doubt.CONDITION,)
            doubts = doubts if self._surely_has_workers(boundary) else (*doubts, Doubt.WORKERS)
            yield replace(boundary, doubts=joined(boundary.doubts, doubts))

    def _makes_idle_process(self, boundary: BoundaryCall, event: Called) -> bool:
        class_, spec = boundary.callee, boundary.spec
        is_process = spec.kind == "process" and (class_ is not None or spec.path.endswith(_PROCESS))
        is_as_written = boundary.call is event.call
        return is_process and is_as_written and is_never_started(event.call, class_, boundary.frame, self._evaluator)

    def _surely_has_workers(self, boundary: BoundaryCall) -> bool:
        """Whether the number of workers, if the boundary has that parameter, is known and not 0, and nothing else may
        have it run the tasks without workers."""
        if may_run_in_place(boundary, self._evaluator):
            return False
        workers = self.values(boundary, boundary.spec.workers) if boundary.spec.workers is not None else ()
        if all(isinstance(r.value, ConstantValue) and r.value.value and not r.doubts for r in workers):
            return True
        return self._counts_processors(boundary) or self._has_workers_by_default(boundary)

    def _counts_processors(self, boundary: BoundaryCall) -> bool:
        bound = boundary.arguments.get(boundary.spec.workers or "")
        if bound is None or bound.expr is None or bound.frame is None:
            return False
        return counts_processors(bound.expr, bound.frame, self._evaluator)

    def _has_workers_by_default(self, boundary: BoundaryCall) -> bool:
        """Whether the number of workers is a command-line option with a positive default."""
        bound = boundary.arguments.get(boundary.spec.workers or "")
        option = without_narrowing(bound.expr) if bound is not None and bound.expr is not None else None
        if bound is None or bound.frame is None or not isinstance(option, Attribute):
            return False
        if any(not is_indefinite(traced.value) for traced in self._evaluator.evaluate(option, bound.frame)):
            return False
        found = _option(option.name).findall(bound.frame.module.code)
        return len(found) == 1 and int(found[0]) > 0

    def _match(
        self, callee: AbstractValue, call: Call, frame: Frame, event: Called | None, inside: tuple[Expr, ...] = ()
    ) -> Iterator[BoundaryCall]:
        """The boundaries that the call of a value can be. `inside` are the functions of the partial objects around it:
        one may be bound anew to the name of what it wraps (`pool.map = partial(pool.map, f)`)."""
        catalog = self._evaluator.catalog
        match callee:
            case ExternalValue(path=path):
                spec = catalog.boundary(path) or self._of_base(path)
                if spec is not None and self.moving_to is not None and is_task_of_processes(path, frame.module):
                    spec = replace(spec, kind="pool")
                if spec is not None:
                    boundary = self._with_pickler(boundary_call(spec, call, frame, event, self._evaluator))
                    if boundary is not None and self._is_shipped(boundary):
                        yield replace(boundary, doubts=self._doubts_of_super(boundary))
                else:
                    yield from self._method(self.methods.specs(call.function, frame), call, frame, event)
            case ClassValue() as class_:
                spec = self._class_spec(class_)
                if spec is not None and self._evaluator.classes.find_method(class_, "__init__") is None:
                    boundary = boundary_call(spec, call, frame, event, self._evaluator, class_)
                    if spec.kind == "process" and spec.payload and not spec.starts:
                        boundary = _with_itself(boundary, InstanceValue(class_, call, frame))
                    if not is_only_made(boundary):
                        yield replace(boundary, doubts=self._doubts_of_class(class_, spec))
                elif spec is not None and spec.kind == "process" and not spec.starts:
                    if fails_to_make(class_, call, frame, self._evaluator):
                        return
                    if not spec.payload:  # What starts the process takes it all.
                        yield boundary_call(spec, call, frame, event, self._evaluator, class_)
                        return
                    itself = {ITSELF: Bound(value=InstanceValue(class_, call, frame))}
                    spec = replace(spec, payload=(ITSELF,), functions=())
                    doubts = self._doubts_of_class(class_, spec)
                    yield BoundaryCall(spec, call, frame, itself, False, event, class_, doubts=doubts)
            case ContainerValue(kind="functools.partial", slots=slots) if slots:
                if slots[0].value in inside:
                    return
                merged = merge_partial(slots, call)
                for traced in self._evaluator.evaluate(slots[0].value, slots[0].frame):
                    for each in self._match(traced.value, merged, frame, event, (*inside, slots[0].value)):
                        yield replace(each, arguments=_where_bound(each.arguments, slots))
            case ContainerValue(kind=kind) as method if kind == HANDED:
                yield from self._method(self.methods.specs_of(method), call, frame, event)
            case _:
                yield from self._method(self.methods.specs(call.function, frame), call, frame, event)
                if callee is UNKNOWN and self.moving_to is not None:
                    yield from self._of_unknown_context(call, frame, event)

    def _of_unknown_context(self, call: Call, frame: Frame, event: Called | None) -> Iterator[BoundaryCall]:
        """A process that an object starts of which nothing is known: by its name and argument (`self.context.Process(
        target=work)`). Which context that is does not matter to who moves to another start method."""
        if isinstance(call.function, Attribute) and call.function.name == "Process" and call.keyword("target"):
            spec = self._evaluator.catalog.boundary(f"{_PLAIN_CONTEXT}Process")
            if spec is not None:
                yield boundary_call(spec, call, frame, event, self._evaluator)

    def _method(
        self, found: Iterable[tuple[BoundarySpec, TracedValue]], call: Call, frame: Frame, event: Called | None
    ) -> Iterator[BoundaryCall]:
        for spec, receiver in found:
            if is_made_to_run_in_place(receiver.value, self._evaluator):
                continue
            boundary = boundary_call(spec, call, frame, event, self._evaluator)
            if self._is_shipped(boundary):
                own = doubts_of(receiver.value, spec, self._evaluator)
                yield replace(boundary, doubts=joined(receiver.doubts, own))

    def _doubts_of_class(self, class_: ClassValue, spec: BoundarySpec) -> tuple[Doubt, ...]:
        return joined(self._evaluator.classes.doubts(class_), doubts_of(class_, spec, self._evaluator))

    def _doubts_of_super(self, boundary: BoundaryCall) -> tuple[Doubt, ...]:
        """The doubts about a call of the library's own method by a class derived from it (`super().__init__(…)`)."""
        match boundary.call.function:
            case Attribute(base=Super() as parent) if boundary.spec.machinery:
                found = self._evaluator.evaluate(parent, boundary.frame)
                return next((doubts_of(each.value, boundary.spec, self._evaluator) for each in found), ())
            case _:
                return ()

    def _is_shipped(self, boundary: BoundaryCall) -> bool:
        if is_run_by_threads(boundary, self._evaluator) or is_only_made(boundary):
            return False
        if is_run_in_place(boundary, self.methods, self._evaluator):
            return False
        if is_for_others(boundary, self._evaluator) or is_never_made(boundary, self._evaluator):
            return False
        if self.moving_to is None and is_only_registered(boundary):
            return False  # `migrate` asks which managers are started, in other modules too.
        return self._is_given(boundary)

    def _is_given(self, boundary: BoundaryCall) -> bool:
        """Whether the call has the argument that makes it a boundary."""
        if not boundary.spec.given:
            return True
        parameter, wanted = boundary.spec.given
        found = (traced.value for traced in boundary.value(parameter, self._evaluator))
        return any(
            (isinstance(value, ProductValue) and value.product.kind == wanted)
            or (isinstance(value, ConstantValue) and str(value.value) == wanted)
            for value in found
        )

    def _with_pickler(self, boundary: BoundaryCall) -> BoundaryCall | None:
        """The boundary as its module for pickling makes it (`torch.save(…, pickle_module=cloudpickle)`); None if it is
        not known what that module refuses. (dill takes locks, threads, lambdas and classes of `__main__`: measured with
        dill 0.4.1.)"""
        for traced in boundary.value(_PICKLER, self._evaluator) if _PICKLER in boundary.arguments else ():
            match traced.value:
                case ModuleValue(name="pickle"):
                    return boundary
                case ModuleValue(name=path) | ExternalValue(path=path):
                    spec = self._evaluator.catalog.boundary(f"{path}.dump")
                    return replace(boundary, spec=replace(boundary.spec, kind=spec.kind)) if spec is not None else None
                case _:
                    pass
        return boundary

    def _of_base(self, path: str) -> BoundarySpec | None:
        """`super().__init__` of a class whose base is a boundary: the path of the base with `.__init__`."""
        owner, _, method = path.rpartition(".")
        return self._evaluator.catalog.boundary(self._without_context(owner)) if method == "__init__" else None

    def _class_spec(self, class_: ClassValue) -> BoundarySpec | None:
        for ancestor in self._evaluator.classes.mro(class_):
            if isinstance(ancestor, ExternalValue):
                spec = self._evaluator.catalog.boundary(self._without_context(ancestor.path))
                if spec is not None:
                    return spec
        return None

    def _without_context(self, path: str) -> str:
        """The path of a class of multiprocessing, of one that a context gives (`class Worker(ctx.Process)`): see
        `_contexts` for which context that is."""
        return path.replace(_OF_CONTEXT, _PLAIN_CONTEXT)

    def crosses(self, boundary: BoundaryCall) -> bool:
        """Whether anything is pickled at all: a loader without workers has no boundary."""
        if boundary.spec.workers is None:
            return True
        values = self.values(boundary, boundary.spec.workers)
        if not values:
            return boundary.open or not boundary.spec.workers_default_zero
        if all(isinstance(r.value, ConstantValue) and r.value.value in (0, None) for r in values):
            return False
        return not (boundary.spec.workers_default_zero and is_made_without_workers(boundary))

    def shuffles(self, boundary: BoundaryCall) -> bool:
        """Whether it is surely a loader that shuffles."""
        values = self.values(boundary, "shuffle") if boundary.spec.kind == "dataloader" else ()
        return bool(values) and all(isinstance(r.value, ConstantValue) and r.value.value is True for r in values)

    def values(self, boundary: BoundaryCall, name: str) -> tuple[TracedValue, ...]:
        """What the argument of that name can be, but for what stands in branches to which the function does not get;
        empty if it is not passed."""
        values = boundary.value(name, self._evaluator)
        found = self._evaluator.in_branches_taken(values, boundary.frame)
        if len(found) == 1 < len(values):
            return (replace(found[0], doubts=tuple(each for each in found[0].doubts if each is not Doubt.BRANCH)),)
        return tuple(found) if found or not values else (TracedValue(UNKNOWN, boundary.site),)


def _where_bound(arguments: dict[str, Bound], slots: Sequence[Slot]) -> dict[str, Bound]:
    """Arguments, with those that a partial holds in the frames in which it got them."""
    frames = {id(slot.value): slot.frame for slot in slots}
    return {
        name: Bound(bound.expr, frames[id(bound.expr)]) if id(bound.expr) in frames else bound
        for name, bound in arguments.items()
    }


def _with_itself(boundary: BoundaryCall, made: InstanceValue) -> BoundaryCall:
    """The making of a process that is pickled with whatever it is given later."""
    spec = replace(boundary.spec, payload=(*boundary.spec.payload, ITSELF))
    return replace(boundary, spec=spec, arguments={**boundary.arguments, ITSELF: Bound(value=made)})


@lru_cache(maxsize=64)
def _option(name: str) -> re.Pattern[str]:
    """Finds the numeric default of a command-line option."""
    written = "[-_]".join(map(re.escape, name.split("_")))
    return re.compile(rf"""add_argument\([^()]*["']--{written}["'][^()]*\bdefault\s*=\s*(\d+)\s*[,)]""")
