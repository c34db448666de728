from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, is_class_of_me
from lintpickle.diagnostics import Confidence
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    Call,
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Name,
    Rule,
    Site,
    Store,
)

_MAKE_IT_ELSEWHERE = ("__setstate__", "__new__", "__init_subclass__", "__getattr__", "__getattribute__")
"""Methods that run where an object is unpickled or its class is imported, or that give what is missing."""


class PropertyMadeByInit(Rule):
    """An `__init__` that gives its class properties, which a process lacks that only unpickles objects of the class."""

    code = "LP616"
    name = "property-made-by-init"
    message = "`{class_}.__init__` gives its class {what}, which a process lacks that only unpickles objects: {error}"
    help = "make the properties where the class is defined, in `__init_subclass__`, or again in `__setstate__`"
    value_types = (InstanceValue,)
    marks = frozenset()
    words = frozenset({"property("})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue) and crossing.root.kind != "deepcopy":
            yield from _judged(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        body = Site(class_.module, class_.facts.span)
        own = [each for each in _judged(class_, linker) if body.contains(each.site)]
        yield from seldom_sent(own, class_, linker)


def _judged(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    line = [each for each in linker.classes.mro(class_) if isinstance(each, ClassValue)]
    if defines(tuple(line), *REDUCERS, *_MAKE_IT_ELSEWHERE):
        return
    for owner in line:
        init = owner.facts.methods.get("__init__")
        store = next(_made(init), None) if init is not None else None
        if store is None or any(store.attribute in {*each.facts.methods, *each.facts.body} for each in line):
            continue
        name = store.attribute if store.key is None else "…"
        yield Hazard(
            site=Site(owner.module, store.span),
            noun="only objects that are made give it to the class",
            error=f"AttributeError: '{class_.facts.name}' object has no attribute '{name}'",
            data={
                "class_": owner.facts.name,
                "what": f"the property `{name}`" if store.key is None else "properties",
            },
            confidence=Confidence.LIKELY,
        )
        return


def _made(init: FunctionFacts) -> Iterator[Store]:
    """The stores of properties on the class of the object that a constructor makes."""
    for event in init.events:
        match event:
            case Store(target=target, value=Call(function=Name(name="property"))) if is_class_of_me(target, init):
                yield event
            case _:
                pass
