"""What one call says about the whole program: the start method that it sets, classes it registers with copyreg."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.diagnostics import StartMethod
from lintpickle.facts.records import Called
from lintpickle.project.activations import Activation, Activations
from lintpickle.project.evaluate import Evaluator
from lintpickle.project.own import THE_PROGRAM, OwnModules
from lintpickle.project.things import ClassThing, ConstantThing, ExternalThing
from lintpickle.source.words import Words

_SETTERS = ("set_start_method",)
_SETTER_WORDS = Words({"set_start_method"})
_REGISTRARS = ("copyreg.pickle", "ForkingPickler.register", "reduction.register")
_REGISTRAR_WORDS = Words({"copyreg", "ForkingPickler", "reduction.register", "reduction import"})


class ProgramWide:
    """Looks through the modules in which the words occur."""

    def __init__(self, evaluator: Evaluator, activations: Activations, own: OwnModules) -> None:
        self._evaluator = evaluator
        self._activations = activations
        self._own = own

    def start_methods(self) -> frozenset[StartMethod]:
        """The start methods that the program sets itself; all of them if it sets none, or sets it by condition or
        to something that cannot be seen."""
        found: set[StartMethod] = set()
        everything = frozenset(StartMethod)
        for activation, event in self._calls(_SETTER_WORDS, _SETTERS):
            arguments = event.call.arguments
            value = event.call.keyword("method") or (arguments[0].value if arguments else None)
            if value is None or event.conditional:
                return everything
            for reached in self._evaluator.evaluate(value, activation.frame):
                name = reached.thing.value if isinstance(reached.thing, ConstantThing) else None
                if name not in {method.value for method in StartMethod}:
                    return everything
                found.add(StartMethod(name))
        return frozenset(found) or everything

    def registered_classes(self) -> frozenset[int]:
        """Identities of the facts of classes for which a reducer is registered."""
        found: set[int] = set()
        for activation, event in self._calls(_REGISTRAR_WORDS, _REGISTRARS):
            for argument in event.call.arguments[:1]:
                for reached in self._evaluator.evaluate(argument.value, activation.frame):
                    if isinstance(reached.thing, ClassThing):
                        found.add(id(reached.thing.facts))
        return frozenset(found)

    def _calls(self, words: Words, paths: tuple[str, ...]) -> Iterator[tuple[Activation, Called]]:
        for module in self._own.naming(words, THE_PROGRAM):
            for plot in words.plots_in(module.lexicon, module.outline.plots):
                room = module.room(plot)
                found = self._activations.in_room(module, room, words.pattern) if room is not None else ()
                for activation in found:
                    for event in activation.function.events:
                        if isinstance(event, Called) and self._is_one_of(event, activation, paths):
                            yield activation, event

    def _is_one_of(self, event: Called, activation: Activation, paths: tuple[str, ...]) -> bool:
        return any(
            isinstance(reached.thing, ExternalThing) and reached.thing.path.endswith(paths)
            for reached in self._evaluator.evaluate(event.call.function, activation.frame)
        )
