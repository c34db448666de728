"""Who calls a function: needed when a boundary's payload is a parameter of the function around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.project.activations import Activation, Activations
from lintpickle.project.evaluate import Evaluator
from lintpickle.project.frames import Bound, Frame, expand
from lintpickle.project.program import Module
from lintpickle.project.things import ClassThing, FunctionThing, Hop, InstanceThing, Site

MAX_CALLERS = 24


class Callers:
    """Finds call sites in the modules of the program that are first-party."""

    def __init__(self, evaluator: Evaluator, activations: Activations, modules: Sequence[Module]) -> None:
        self._evaluator = evaluator
        self._activations = activations
        self._modules = modules
        self._known: dict[int, tuple[tuple[Activation, Called, FunctionThing], ...]] = {}

    def frames(self, activation: Activation) -> Iterator[tuple[Frame, Hop, Activation]]:
        """For each call site of the function: its frame with the arguments bound, the hop for the trail, and the
        caller."""
        for caller, event, callee in self._sites(activation):
            frame = self._frame(activation, callee, event, caller)
            if frame is not None:
                name = self._shown_name(activation)
                yield frame, Hop(f"calls {name}()", Site(caller.frame.module, event.call.span)), caller

    def _shown_name(self, activation: Activation) -> str:
        if activation.owner is not None and activation.function.name == "__init__":
            return activation.owner.facts.name
        return activation.function.name

    def _frame(self, activation: Activation, callee: FunctionThing, event: Called, caller: Activation) -> Frame | None:
        arguments = expand(event.call, caller.frame, self._evaluator)
        if activation.owner is not None and activation.function.name == "__init__":
            bound = callee.bound
            me = bound if isinstance(bound, InstanceThing) else self._activations.instance(activation.owner)
            arguments = replace(arguments, positional=(Bound(thing=me), *arguments.positional))
            callee = FunctionThing(callee.module, callee.facts, callee.frame)
        return self._evaluator.activate(callee, arguments, caller.frame.depth + 1)

    def _sites(self, activation: Activation) -> tuple[tuple[Activation, Called, FunctionThing], ...]:
        key = id(activation.function)
        if key not in self._known:
            self._known[key] = ()
            found = []
            for site in self._search(activation):
                found.append(site)
                if len(found) >= MAX_CALLERS:
                    break
            self._known[key] = tuple(found)
        return self._known[key]

    def _search(self, activation: Activation) -> Iterator[tuple[Activation, Called, FunctionThing]]:
        name = self._shown_name(activation)
        if name.startswith("<"):
            return
        for module in self._modules:
            if name not in module.document.code:
                continue
            for plot in module.outline.plots:
                if plot.bare or name not in module.document.code[plot.span.start : plot.span.end]:
                    continue
                room = module.room(plot)
                if room is None:
                    continue
                for caller in self._activations.in_room(module, room):
                    if caller.function is activation.function:
                        continue
                    yield from self._calls(caller, activation)

    def _calls(self, caller: Activation, activation: Activation) -> Iterator[tuple[Activation, Called, FunctionThing]]:
        for event in caller.function.events:
            if not isinstance(event, Called):
                continue
            for reached in self._evaluator.evaluate(event.call.function, caller.frame):
                thing = reached.thing
                if isinstance(thing, FunctionThing) and thing.facts is activation.function:
                    yield caller, event, thing
                elif isinstance(thing, ClassThing) and self._constructs(thing, activation.function):
                    for made in self._evaluator.evaluate(event.call, caller.frame):
                        bound = made.thing if isinstance(made.thing, InstanceThing) else None
                        yield (
                            caller,
                            event,
                            FunctionThing(thing.module, activation.function, thing.frame, bound),
                        )

    def _constructs(self, class_: ClassThing, function: FunctionFacts) -> bool:
        if function.name != "__init__":
            return False
        found = self._evaluator.classes.find_method(class_, "__init__")
        return found is not None and found[1] is function
