"""Objects as they are after any of their methods have run, in an order that is not known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import Called, FunctionFacts, ItemStore
from lintpickle.facts.values import Expr, Parameter
from lintpickle.interpreter.abstract_values import Bound, ClassValue, Done, Doubt, Frame, InstanceValue
from lintpickle.interpreter.doings import done_by
from lintpickle.interpreter.parts import part_of
from lintpickle.payload.linker import Linker

_MAY_FILL = re.compile(r"\bself\.\w+\s*(?:\.|\[|[+|]=)")
"""What stands in a method that does something to what an attribute of its object holds."""
_FILLS = (Called, ItemStore)


def after_all_methods(frame: Frame, linker: Linker) -> Frame:
    """The frame of a method, with its object after what its other methods do to what its attributes hold
    (`self.rows.append(row)`, `self.log.add("loss", loss)`). All of that may not have happened by then. The frame itself
    if it is of no method, or if there is nothing of that kind."""
    me = _me(frame.function)
    bound = frame.bindings.get(me)
    if not isinstance(instance := bound.value if bound is not None else None, InstanceValue):
        return frame
    done = tuple(_done_by_others(instance, frame.function, linker))
    if not done:
        return frame
    return replace(frame, bindings={**frame.bindings, me: Bound(value=replace(instance, done=(*done, *instance.done)))})


def _done_by_others(instance: InstanceValue, function: FunctionFacts, linker: Linker) -> Iterator[Done]:
    for owner in linker.classes.mro(instance):
        if not isinstance(owner, ClassValue):
            continue
        for method in methods_holding(owner.facts.methods, _MAY_FILL, owner.module.code):
            if method is function or method.name == "__init__":
                continue
            frame = frame_of_method((owner, method), instance, linker)
            if frame is not None:
                yield from _fillings(frame, _me(method))


def _fillings(frame: Frame, me: str) -> Iterator[Done]:
    """What a method puts into the containers of its object, and what it calls on its parts."""

    def path_to(value: Expr) -> tuple[str, ...] | None:
        root, path = part_of(value)
        return path if isinstance(root, Parameter) and root.name == me else None

    for event in frame.function.events:
        for done in done_by(event, frame, path_to) if isinstance(event, _FILLS) else ():
            if done.path or isinstance(event, ItemStore):
                yield replace(done, event=replace(event, conditional=True), doubts=(Doubt.CONDITION,))


def _me(function: FunctionFacts) -> str:
    return function.parameters[0].name if function.parameters else ""
