"""Root frames: every function of a module as it runs when nothing is known of its caller."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from msgspec import Struct

from lintpickle.facts.methods import methods_holding
from lintpickle.facts.records import BlockFacts, ClassFacts, FunctionFacts
from lintpickle.interpreter.abstract_values import Bound, ClassValue, Frame, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.program.module import Module

ANY = re.compile("")
"""The pattern that leaves out nothing."""


class RootFrame(Struct, frozen=True, eq=False):
    """A function with the frame in which it is read first; `owner` is the class whose method it is."""

    frame: Frame
    owner: ClassValue | None

    @property
    def function(self) -> FunctionFacts:
        """The function that the frame runs."""
        return self.frame.function

    @property
    def instance_name(self) -> str | None:
        """What a method calls its instance."""
        parameters = self.function.parameters
        is_method = self.owner is not None and not self.function.decorated_by("staticmethod")
        return parameters[0].name if is_method and parameters else None

    @property
    def is_constructor(self) -> bool:
        """Whether the function is the `__init__` of a class."""
        return self.owner is not None and self.function.name == "__init__"


class RootFrames:
    """Makes root frames and representative instances, each once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._known: dict[int, tuple[RootFrame, ...]] = {}
        self._instances: dict[int, InstanceValue] = {}

    def instance(self, class_: ClassValue) -> InstanceValue:
        """The instance that stands for any instance of the class."""
        key = id(class_.facts)
        if key not in self._instances:
            self._instances[key] = InstanceValue(class_)
        return self._instances[key]

    def in_block(self, module: Module, block: BlockFacts, pattern: re.Pattern[str]) -> Iterator[RootFrame]:
        """The functions of a parsed block: the module body first, methods and nested functions after what holds them.
        Methods of its classes in whose text the pattern does not occur are left out, and not read."""
        yield from self._once(block.body, lambda: [RootFrame(self._evaluator.module_frame(module, block.body), None)])
        for function in block.body.functions:
            yield from self._once(function, partial(self._function, module, function, None, None))
        for class_ in block.body.classes:
            yield from self._class(module, class_, None, pattern)

    def of_method(self, owner: ClassValue, method: FunctionFacts) -> RootFrame:
        """A method of a class that is defined in no function, without the functions in it."""
        return self._once(method, partial(self._function, owner.module, method, owner, None))[0]

    def _once(self, facts: FunctionFacts, make: Callable[[], Iterable[RootFrame]]) -> tuple[RootFrame, ...]:
        """What `make` gives for a function that stands in no other, made at the first call."""
        if id(facts) not in self._known:
            self._known[id(facts)] = tuple(make())
        return self._known[id(facts)]

    def classes_in(self, module: Module, block: BlockFacts) -> Iterator[ClassValue]:
        """The classes of a parsed block that are not defined in a function, nested ones included."""
        stack = list(reversed(block.body.classes))
        while stack:
            facts = stack.pop()
            yield self._evaluator.classes.module_level(module, facts)
            stack.extend(reversed(facts.classes))

    def _class(
        self, module: Module, facts: ClassFacts, parent: Frame | None, pattern: re.Pattern[str]
    ) -> Iterator[RootFrame]:
        if parent is None:
            class_ = self._evaluator.classes.module_level(module, facts)
        else:
            class_ = ClassValue(module, facts, parent)
        for method in methods_holding(facts.methods, pattern, module.code):
            yield from self._once(method, partial(self._function, module, method, class_, parent))
        for inner in facts.classes:
            yield from self._class(module, inner, parent, pattern)

    def _function(
        self, module: Module, function: FunctionFacts, owner: ClassValue | None, parent: Frame | None
    ) -> Iterator[RootFrame]:
        bindings: dict[str, Bound] = {}
        if owner is not None and function.parameters and not function.decorated_by("staticmethod"):
            me = self.instance(owner) if not function.decorated_by("classmethod") else owner
            bindings[function.parameters[0].name] = Bound(value=me)
        frame = Frame(module, function, bindings, parent, 1, open=True)
        yield RootFrame(frame, owner)
        for inner in function.functions:
            yield from self._function(module, inner, None, frame)
        for class_ in function.classes:
            yield from self._class(module, class_, frame, ANY)
