"""What changes tensors in place after they have been sent to another process, which has the same numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.change_flow import Change, ChangeFlow, Effect, HandedOn
from lintpickle.analyses.calls_and_values.changing_calls import ChangingCalls
from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.calls_and_values.rounds import rounds_around
from lintpickle.analyses.lost_changes.pickled_later import body_of
from lintpickle.analyses.lost_changes.sent_tensors import Sending, SentPart, calls_of_function, sendings
from lintpickle.analyses.lost_changes.shared_tensors import SharedKind, SharedPart
from lintpickle.analyses.lost_changes.tensor_changes import (
    is_in_place,
    is_optimizer_of,
    optimizers,
    parameters_in,
    root_of_weights,
    where_changed,
)
from lintpickle.analyses.lost_changes.ways_to_tensors import OF_THE_SAME, Shared
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call, without_narrowing
from lintpickle.interpreter.abstract_values import (
    ContainerValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    Site,
)
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker

_NUMBERS = frozenset({"data", "weight", "bias"})
_STEP = "step"
_LOADS = "load_state_dict"
_CALLS_LOAD = re.compile(rf"\.{_LOADS}\(")
_RECEIVES = re.compile(r"\.(?:get|get_nowait|recv)\(\s*(?:\)|timeout\b|block\b|True\b|False\b)")
_DEPTH = 2
"""How many calls are gone into for what changes a tensor."""


class ChangedAfterSending(Struct, frozen=True):
    """Tensors that are changed after they were sent: by which name, where they are sent and where they change."""

    name: str
    kind: SharedKind
    call: Call
    site: Site
    change: Site
    is_sure: bool


def changed_after_sending(boundary: BoundaryCall, linker: Linker) -> Iterator[ChangedAfterSending]:
    """The tensors that a boundary sends, and that the function which sends them, or one that leads to it, changes."""
    for sending in sendings(boundary, linker):
        found = list(_changed(sending, linker))
        if found:
            yield from found
            return


def _changed(sending: Sending, linker: Linker) -> Iterator[ChangedAfterSending]:
    frame = sending.frame
    effects = _Effects(sending, linker)
    flow = ChangeFlow({sending.node: effects.handed}, effects.effect)
    for change in flow.changes(body_of(frame), effects.me):
        if change.is_slight or not effects.is_of_numbers(change):
            continue
        assert isinstance(change.node, ast.expr)
        kind = effects.kind(change.handed)
        yield ChangedAfterSending(
            change.handed.name,
            kind,
            sending.call,
            Site(frame.module, sending.call.span),
            Site(frame.module, frame.paths.span(change.node)),
            (not change.is_next_run or _is_run_again(frame, linker))
            and (kind is SharedKind.TENSOR or not _is_loaded_on_arrival(frame, linker)),
        )


def _is_run_again(frame: Frame, linker: Linker) -> bool:
    """Whether a loop calls the method again that sends something, on the same object."""
    return any(rounds_around(Site(home.module, call.span)) for home, call in calls_of_function(frame, linker))


def _is_loaded_on_arrival(frame: Frame, linker: Linker) -> bool:
    """Whether code of the program copies weights as soon as it gets them: `net.load_state_dict(weights.get())`. What it
    has then may be newer than what was sent, which is as good to it."""
    return any(
        root.frame.paths.has(_RECEIVES) for root in linker.activations_with({_LOADS}, _CALLS_LOAD, frame.module.path)
    )


class _Effects:
    """What the calls of a function do to the tensors that one of them sends."""

    def __init__(self, sending: Sending, linker: Linker) -> None:
        self._frame, self._linker = sending.frame, linker
        self._calls = ChangingCalls(sending.frame, linker)
        self._parts = {part.name: shared for part, shared in sending.tensors}
        self._sent = {part.name: part for part, _ in sending.tensors}
        function = sending.node.func
        to = dotted(function.value) if isinstance(function, ast.Attribute) else ""
        self.handed = [
            HandedOn(part.name, part.node, to, shared.kind is SharedKind.TENSOR) for part, shared in sending.tensors
        ]
        self._names = dict(_aliases(body_of(sending.frame)))

    @property
    def me(self) -> str:
        """How the names of attributes of a method's own object begin."""
        return self._calls.me

    def kind(self, handed: HandedOn) -> SharedKind:
        """What is sent under a name."""
        return self._parts[handed.name].kind

    def is_of_numbers(self, change: Change) -> bool:
        """Whether a store in a part of a module is one in its numbers: `net.weight.data[0] = 1`."""
        if self.kind(change.handed) is not SharedKind.MODULE or not isinstance(change.node, ast.Subscript):
            return True
        return any(isinstance(each, ast.Attribute) and each.attr in _NUMBERS for each in ast.walk(change.node))

    def effect(self, node: ast.Call, handed: HandedOn, is_dropped: bool) -> Effect | None:
        """What a call does to something that has been sent; None if nothing is seen."""
        shared = self._parts[handed.name]
        call = self._calls.call_at(node)
        if self._is_method_in_place(node, handed.name, shared) or (
            call is not None and self._is_changed_by(call, node, handed.name, shared)
        ):
            return Effect.CHANGES
        found = self._calls.effect(node, handed, is_dropped)
        if found is Effect.BINDS and call is not None and self._calls_a_module(call):
            return None
        return found if found in (Effect.WAITS, Effect.BINDS) else None

    def _calls_a_module(self, call: Call) -> bool:
        """Whether what is called is a module or the like that an attribute holds (`self.net(x)`), and no method."""
        found = [traced.value for traced in self._linker.evaluate(call.function, self._frame)]
        return bool(found) and all(isinstance(each, ExternalResult | InstanceValue | ContainerValue) for each in found)

    def _is_method_in_place(self, node: ast.Call, name: str, shared: SharedPart) -> bool:
        function = node.func
        if not isinstance(function, ast.Attribute):
            return False
        if function.attr == _LOADS:
            return dotted(function.value) == name and shared.kind is SharedKind.MODULE
        return is_in_place(function.attr) and self._is_of(function.value, name)

    def _is_of(self, node: ast.expr, name: str) -> bool:
        """Whether an expression is of what has that name: a part of it, or what a loop takes out of it."""
        while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
            if dotted(node) == name:
                return True
            if isinstance(node, ast.Attribute) and node.attr == "grad":
                return False
            node = node.func if isinstance(node, ast.Call) else node.value
        found = dotted(node)
        return found == name or self._names.get(found) == name

    def _is_changed_by(self, call: Call, node: ast.Call, name: str, shared: SharedPart) -> bool:
        written = next((each.value for each in node.keywords if each.arg == "out"), None)
        if written is not None and dotted(written) == name:
            return True
        method = node.func.attr if isinstance(node.func, ast.Attribute) else dotted(node.func)
        if is_in_place(method) and node.args and self._is_of(node.args[0], name):
            return True
        stepped = _Stepped(self._sent[name], shared, self._linker)
        if method == _STEP and stepped.is_by(call, self._frame):
            return True
        for called, inner in functions_entered(call, self._frame, self._linker):
            for handed in _handed_to(called, node, name, shared):
                if where_changed(called.facts, called.module, inner, handed, self._linker) is not None:
                    return True
        return shared.kind is SharedKind.MODULE and stepped.is_inside(call, self._frame)


class _Stepped:
    """Whether calls step the weights of what is sent, or are the step of an optimizer that is sent."""

    def __init__(self, sent: SentPart, shared: SharedPart, linker: Linker) -> None:
        self._sent, self._shared, self._linker = sent, shared, linker

    def is_by(self, call: Call, frame: Frame) -> bool:
        """Whether a call does: `optimizer.step()`, `scaler.step(optimizer)`."""
        stepped = [call.function.base] if isinstance(call.function, Attribute) else []
        return any(
            self._is_of(optimizer)
            for each in (*stepped, *(argument.value for argument in call.arguments))
            for optimizer in optimizers(each, frame, self._linker)
        )

    def is_inside(self, call: Call, frame: Frame, depth: int = 0) -> bool:
        """Whether a function of the program that a call runs, or one that this calls, does."""
        for called, inner in functions_entered(call, frame, self._linker):
            for event in called.facts.events:
                if isinstance(event, Called):
                    method = event.call.function.name if isinstance(event.call.function, Attribute) else ""
                    if method == _STEP and self.is_by(event.call, inner):
                        return True
                    if depth < _DEPTH and self.is_inside(event.call, inner, depth + 1):
                        return True
        return False

    def _is_of(self, optimizer: ExternalResult) -> bool:
        value = self._shared.value
        if isinstance(value, ExternalResult) and value.call is optimizer.call:
            return True
        given = optimizer.call.argument("params", 0)
        if given is None:
            return False
        roots = [root_of_weights(each) for each in parameters_in(given)]
        if any(root is without_narrowing(self._sent.value) for root in roots):
            return True
        if isinstance(value, ContainerValue):
            held = [each.value for root in roots for each in self._linker.evaluate(root, optimizer.frame)]
            made = [slot.value for slot in value.slots]
            return any(
                isinstance(each, ContainerValue) and list(map(id, made)) == [id(slot.value) for slot in each.slots]
                for each in held
            )
        return is_optimizer_of(optimizer, Shared("", self._shared), self._linker)


def _handed_to(called: FunctionValue, node: ast.Call, name: str, shared: SharedPart) -> Iterator[Shared]:
    """What is sent as the parameters of a function hold it that a call runs."""
    named = [each.name for each in called.facts.parameters if each.kind.startswith("positional")]
    if called.bound is not None and isinstance(node.func, ast.Attribute) and named:
        owner = f"{dotted(node.func.value)}."
        me = named.pop(0)
        if name.startswith(owner):
            yield Shared(me, replace(shared, path=tuple(name.removeprefix(owner).split("."))))
    words = {each.arg: each.value for each in node.keywords if each.arg is not None}
    for parameter, given in (*zip(named, node.args, strict=False), *words.items()):
        if dotted(given) == name:
            yield Shared(parameter, shared)


def _aliases(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """The names that loops give to the tensors of something: `for p in model.parameters()`."""
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.For):
                for part in ast.walk(node.iter):
                    if isinstance(part, ast.Attribute) and part.attr in OF_THE_SAME and dotted(part.value):
                        targets = (each for each in ast.walk(node.target) if isinstance(each, ast.Name))
                        yield from ((each.id, dotted(part.value)) for each in targets)
