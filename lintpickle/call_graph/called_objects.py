"""The functions that may call an object whose class defines `__call__`: a call of one does not name the method."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lintpickle.call_graph.constructing_calls import ConstructingCalls
from lintpickle.call_graph.named_calls import FUNCTION_CALL, METHOD_CALL, OBJECT_CALL, NamedCalls
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import may_be
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.limits import OBJECT_CALLERS
from lintpickle.program.cuts import Cuts

_ITSELF = frozenset({"self"})


class CalledObjects:
    """Finds them by the calls that make the objects, up to a limit, which is noted in `cuts`. `asker` is the path of
    the module being judged."""

    def __init__(self, named: NamedCalls, constructing: ConstructingCalls, cuts: Cuts) -> None:
        self._named = named
        self._constructing = constructing
        self._cuts = cuts

    def callers(self, root: RootFrame, asker: str) -> Iterator[tuple[RootFrame, frozenset[str]]]:
        """The functions that make such objects, and those that name what holds them: a variable of a module, an
        attribute, or `self` in a method; each once, with the names of these attributes."""
        variables, attributes, seen = set[str](), set[str](), set[int]()
        for maker, event in self._constructing.with_method(root, asker):
            variables.update(_variables(maker, event))
            stores = (each for each in maker.function.events if isinstance(each, Store))
            attributes.update(each.attribute for each in stores if may_be(each.value, event.call))
            if id(maker.function) not in seen:
                seen.add(id(maker.function))
                yield maker, frozenset(attributes)
        sought = ((_ITSELF, OBJECT_CALL), (variables, FUNCTION_CALL), (attributes, METHOD_CALL))
        for names, form in ((frozenset(names), form) for names, form in sought):
            naming = self._named.mentioning(names, form, asker) if names else iter(())
            for caller in islice(naming, OBJECT_CALLERS.most):
                if id(caller.function) not in seen:
                    seen.add(id(caller.function))
                    yield caller, frozenset(attributes)
            if next(naming, None) is not None:
                self._cuts.note(OBJECT_CALLERS)


def _variables(maker: RootFrame, made: Called) -> Iterator[str]:
    """The variables of a module that hold what a call in its body makes."""
    module = maker.frame.module
    block = module.outline.block_at(made.call.span.start) if maker.function.is_module_body else None
    facts = module.facts_of(block) if block is not None else None
    for name, value in facts.values.items() if facts is not None else ():
        if may_be(value, made.call):
            yield name
