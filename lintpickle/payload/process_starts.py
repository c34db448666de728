"""Calls that start processes by themselves: a pool, `spawn`, `submit`, a manager, the `start()` of a process."""

from __future__ import annotations

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.set_just_before import set_on_the_way
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.records import Called
from lintpickle.facts.values import Attribute, Call
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    ExternalResult,
    Frame,
    InstanceValue,
    ProductValue,
    Site,
)
from lintpickle.payload.protocols import LinkedProgram

_FORKED = (StartMethod.FORK,)


class ProcessStarts:
    """Recognizes them, but for those that fork whatever the default is."""

    def __init__(self, linker: LinkedProgram) -> None:
        self._linker = linker
        self._evaluator = linker.evaluator

    def kind_started_by(self, call: Call, frame: Frame, event: Called) -> str | None:
        """The kind of boundary whose processes the call itself starts (a pool, `spawn`, `submit`, a manager, the
        `start()` of a process); None if it starts none."""
        if self._is_start_of_process(call, frame):
            return "process"
        for boundary in self._linker.boundaries.match(call, frame, event):
            last = boundary.spec.name
            is_pool_made, is_task = last.endswith("Pool"), not last.endswith("ProcessPoolExecutor")
            starts = {"spawn": True, "manager": True, "pool": is_pool_made, "executor": is_task}
            if (boundary.spec.starts or starts.get(boundary.spec.kind)) and not self._is_forked(boundary):
                return boundary.spec.kind
        return None

    def _is_start_of_process(self, call: Call, frame: Frame) -> bool:
        if not isinstance(call.function, Attribute) or call.function.name != "start" or call.arguments:
            return False
        return any(self._is_process(each.value) for each in self._evaluator.evaluate(call.function.base, frame))

    def made_before(self, call: Call, frame: Frame) -> tuple[Site, ...]:
        """Where the processes are made that a `start()` starts."""
        if not isinstance(call.function, Attribute) or not self._is_start_of_process(call, frame):
            return ()
        made = [traced.value for traced in self._evaluator.evaluate(call.function.base, frame)]
        return tuple(
            dict.fromkeys(
                Site(value.frame.module, value.call.span)
                for value in made
                if isinstance(value, (ProductValue, InstanceValue))
                and value.call is not None
                and value.frame is not None
            )
        )

    def _is_process(self, value: AbstractValue) -> bool:
        match value:
            case ProductValue(product=product, call=call, frame=frame) if product.type.endswith(".Process"):
                if call is None or frame is None or self._linker.moving_to is not None:
                    return True
                made = self._linker.boundaries.match(call, frame)
                is_fork_set = any(self._is_set_to_fork(boundary) for boundary in made)
                return not is_fork_set and not self._of_fork_context(call, frame)
            case InstanceValue() as instance:
                return self._linker.classes.kind(instance) == "process"
            case _:
                return False

    def _is_forked(self, boundary: BoundaryCall) -> bool:
        starting = boundary.at_start if boundary.spec.starts else boundary
        methods = self._linker.boundaries.starting.start_methods(starting)
        is_asked = methods in ((), _FORKED) or self._is_set_to_fork(boundary)
        return is_asked or self._of_fork_context(boundary.call, boundary.frame)

    def _is_set_to_fork(self, boundary: BoundaryCall) -> bool:
        """Whether the function that makes processes, or one that led to it, sets fork for the program just before."""
        return self._linker.moving_to is None and set_on_the_way(boundary, self._evaluator) == StartMethod.FORK.value

    def _of_fork_context(self, call: Call, frame: Frame) -> bool:
        """Whether it is a method of `get_context("fork")`, or of an executor with that context."""
        if self._linker.moving_to is not None:
            return False
        named = self._linker.boundaries.methods.named(call.function, frame)
        for traced in (each for function, where in named for each in self._evaluator.evaluate(function.base, where)):
            match traced.value:
                case ExternalResult(path="mp-context", call=made, frame=home) if made.arguments:
                    values = self._evaluator.evaluate(made.arguments[0].value, home)
                    return any(isinstance(v.value, ConstantValue) and v.value.value == "fork" for v in values)
                case ProductValue(call=made, frame=home) if made is not None and home is not None:
                    for boundary in self._linker.boundaries.match(made, home):
                        if self._linker.boundaries.starting.start_methods(boundary) in ((), _FORKED):
                            return True
                case _:
                    pass
        return False
