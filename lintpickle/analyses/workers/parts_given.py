"""What the function of a process is given: arguments, and what the objects among them keep, of its own object, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import ITSELF, BoundaryCall
from lintpickle.facts.records import Store
from lintpickle.facts.values import Attribute, Expr, Parameter, rooted, without_narrowing
from lintpickle.interpreter.abstract_values import AbstractValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.pickling_hooks import SENDING_HOOKS
from lintpickle.payload.entry_arguments import parameter_at
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_KIND = "process"
_DEPTH = 2
"""How many attributes within each other are gone through."""


class GivenPart(Struct, frozen=True, eq=False):
    """What a function has as a parameter, or as the attributes `path` of what a parameter holds, and the expression
    that has given it there. `holder` is what the boundary is given for the parameter, or, if it `is_own`, as the object
    whose method the function is."""

    function: WorkerFunction
    parameter: str
    path: tuple[str, ...]
    value: Expr
    frame: Frame
    holder: Expr
    is_own: bool = False
    steps: int = 0
    """How many calls have handed it on to the function, from the one with which the process begins."""

    def is_named_by(self, value: Expr) -> bool:
        """Whether an expression of the function is nothing but this."""
        root, names = rooted(without_narrowing(value))
        return isinstance(root, Parameter) and root.name == self.parameter and names == self.path

    @property
    def is_replaced(self) -> bool:
        """Whether the function stores something else in its place."""
        for event in self.function.facts.events:
            if isinstance(event, Store) and event.attribute in self.path:
                root, names = rooted(event.target)
                is_its = isinstance(root, Parameter) and root.name == self.parameter
                if is_its and (*names, event.attribute) == self.path[: len(names) + 1]:
                    return True
        return False

    @property
    def written(self) -> str:
        """How the function writes it."""
        return ".".join((self.parameter, *self.path))


def parts_given(code: WorkerCode, linker: Linker) -> Iterator[GivenPart]:
    """What the functions with which a process begins are given as it starts."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != _KIND or not boundary.frame.module.first_party:
        return
    for function in code.functions:
        if function.entry and function.module.first_party:
            yield from _of_arguments(function, boundary, linker)
            yield from _of_own_object(function, boundary, linker)


def _of_arguments(function: WorkerFunction, boundary: BoundaryCall, linker: Linker) -> Iterator[GivenPart]:
    for place, (element, frame) in enumerate(boundary.written_args):
        name = parameter_at(place, function.facts, boundary.spec)
        if name is not None:
            whole = GivenPart(function, name, (), element, frame, element)
            yield whole
            yield from _kept(_only(element, frame, linker), whole, linker)


def _of_own_object(function: WorkerFunction, boundary: BoundaryCall, linker: Linker) -> Iterator[GivenPart]:
    """What the object keeps whose method is the target, or the process itself."""
    if not function.facts.parameters:
        return
    me, bound = function.facts.parameters[0].name, boundary.arguments.get("target")
    if ITSELF in boundary.payload:
        made, frame = boundary.call, boundary.frame
        yield from _kept(_only(made, frame, linker), GivenPart(function, me, (), made, frame, made, True), linker)
    elif bound is not None and bound.expr is not None and bound.frame is not None:
        target = without_narrowing(bound.expr)
        method = _only(target, bound.frame, linker) if isinstance(target, Attribute) else None
        if isinstance(target, Attribute) and isinstance(method, FunctionValue) and method.facts is function.facts:
            whole = GivenPart(function, me, (), target.base, bound.frame, target.base, True)
            yield from _kept(method.bound, whole, linker)


def _kept(owner: AbstractValue | None, whole: GivenPart, linker: Linker) -> Iterator[GivenPart]:
    """What an object keeps that is pickled by its state."""
    if not isinstance(owner, InstanceValue) or not owner.class_.module.first_party or len(whole.path) == _DEPTH:
        return
    if any(linker.classes.find_method(owner, each) is not None for each in SENDING_HOOKS):
        return
    state = [each for each in linker.classes.states.state(owner) if each.direct]
    stores = Counter(each.attribute for each in state)
    for held in state:
        if stores[held.attribute] == 1:
            path = (*whole.path, held.attribute)
            part = replace(whole, path=path, value=held.value, frame=held.frame)
            if not part.is_replaced:
                yield part
                yield from _kept(_only(held.value, held.frame, linker), part, linker)


def _only(value: Expr, frame: Frame, linker: Linker) -> AbstractValue | None:
    found = [traced.value for traced in linker.evaluate(value, frame)]
    return found[0] if len(found) == 1 else None
