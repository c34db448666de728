from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.hierarchies import REDUCERS, defines, is_me, plain_ancestors, stores_of
from lintpickle.rules.authoring import (
    SHIPPED_KINDS,
    Attribute,
    Called,
    ClassValue,
    Crossing,
    Fate,
    FunctionFacts,
    Hazard,
    Hop,
    InstanceValue,
    Linker,
    Rule,
    Shipped,
    Site,
    Store,
)

_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "__attrs_post_init__", "__new__", "__getstate__"})
_ENTERED = ("__getitem__", "__getitems__", "__iter__", "__call__", "forward")
_ASKS = r"(?:has|get)attr\(\s*{me}\s*,\s*['\"]{name}['\"]|['\"]{name}['\"]\s+(?:not\s+)?in\b"
_READ = r"\b{me}\.{name}\b(?!\s*=[^=])"
_TESTED = r"\bif\b[^\n]*\b{me}\.{name}\b|\b{me}\.{name}\s+(?:is\b|or\b|if\b)|except\s+\(?[\w, ]*AttributeError"


class DroppedNotRestored(Rule):
    """An attribute that `__getstate__` leaves out and nothing restores, though worker code uses it."""

    code = "LP604"
    name = "dropped-not-restored"
    value_types = (InstanceValue,)
    message = "`{class_}.{method}` uses `{attribute}`, which `__getstate__` leaves out and nothing restores: {error}"
    help = "recreate it in `__setstate__`, or on first use"
    marks = frozenset()
    words = frozenset({"__getstate__"})
    class_kinds = SHIPPED_KINDS

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue) and linker.classes.find_method(crossing.value, "__getstate__"):
            yield from _judged(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        if "__getstate__" in class_.facts.methods and linker.classes.kind(class_) in SHIPPED_KINDS:
            yield from _judged(class_, linker)


def _judged(class_: ClassValue, linker: Linker) -> Iterator[Hazard]:
    classes = linker.classes
    line = tuple(each for each in classes.mro(class_) if isinstance(each, ClassValue))
    found = classes.find_method(class_, "__getstate__")
    if found is None or defines(line, *REDUCERS, "__getattr__", "__getattribute__", "__deepcopy__"):
        return
    if plain_ancestors(class_, classes) is None and classes.kind(class_) not in SHIPPED_KINDS:
        return
    methods = [method for each in line for method in each.facts.methods.values()]
    instance = linker.activations.instance(class_)
    shipped = Shipped(instance, linker.evaluator)
    for held in classes.states.state(instance):
        attribute = held.attribute
        if shipped.fate(held.name) is not Fate.LEFT_OUT or not held.direct or _is_restored(attribute, line, methods):
            continue
        if any(attribute in each.facts.methods or attribute in each.facts.body for each in line):
            continue
        for owner, method in _uses(attribute, class_, linker):
            yield Hazard(
                site=Site(owner.module, method.header),
                noun=f"it uses `{attribute}`",
                error=f"AttributeError: '{class_.facts.name}' object has no attribute '{attribute}'",
                data={"class_": class_.facts.name, "method": method.name, "attribute": attribute},
                hops=(Hop("`__getstate__` leaves it out", Site(found[0].module, found[1].header)),),
            )
            break


def _is_restored(attribute: str, line: tuple[ClassValue, ...], methods: list[FunctionFacts]) -> bool:
    """Whether code outside construction stores the attribute, or checks whether it exists."""
    makers = {function.name for function, _ in stores_of(line, attribute)}
    private = {name for name in makers - _CONSTRUCTORS if name.startswith("_") and not name.endswith("__")}
    if makers - _CONSTRUCTORS - private:
        return True
    if private and any(_calls(method, private) for method in methods if method.name not in _CONSTRUCTORS | private):
        return True
    setstate = [method for method in methods if method.name == "__setstate__"]
    if any(_sets_anything(method) for method in setstate):
        return True
    for each in line:
        text = each.module.code[each.facts.span.start : each.facts.span.end]
        name = re.escape(attribute)
        if re.search(_ASKS.format(me="self", name=name), text) or re.search(_TESTED.format(me="self", name=name), text):
            return True
    return False


def _sets_anything(method: FunctionFacts) -> bool:
    """Whether a `__setstate__` calls anything other than `self.__dict__.update` that could restore attributes."""
    for event in method.events:
        match event:
            case Called(call=call) if not (
                isinstance(call.function, Attribute)
                and (call.function.name in ("update", "__setstate__", "copy", "pop", "get"))
            ):
                return True
            case Store(target=target, attribute="__dict__") if is_me(target, method):
                continue
            case _:
                pass
    return False


def _calls(method: FunctionFacts, names: set[str]) -> bool:
    return any(
        isinstance(event, Called) and isinstance(event.call.function, Attribute) and event.call.function.name in names
        for event in method.events
    )


def _uses(attribute: str, class_: ClassValue, linker: Linker) -> Iterator[tuple[ClassValue, FunctionFacts]]:
    """The methods that run in a worker and read the attribute, callers before the methods that they call."""
    queue, seen = list(_ENTERED), set(_ENTERED)
    while queue:
        found = linker.classes.find_method(class_, queue.pop(0))
        if found is None or not found[1].parameters:
            continue
        owner, method = found
        me = re.escape(method.parameters[0].name)
        read = re.compile(_READ.format(me=me, name=re.escape(attribute)))
        if read.search(owner.module.code, method.span.start, method.span.end):
            yield owner, method
        for event in method.events:
            if isinstance(event, Called) and isinstance(event.call.function, Attribute):
                name = event.call.function.name
                if is_me(event.call.function.base, method) and name not in seen:
                    seen.add(name)
                    queue.append(name)
