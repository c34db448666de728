from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, plain_ancestors
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    Attribute,
    Call,
    Called,
    ClassValue,
    Collection,
    Constant,
    Crossing,
    Expr,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Raised,
    Rule,
    Site,
    chain,
)


class FrozenSlotsWithoutState(Rule):
    """A class with `__slots__` whose `__setattr__` always raises, so that pickle cannot restore its state."""

    code = "LP607"
    name = "frozen-slots-without-state"
    value_types = (InstanceValue,)
    message = "`{class_}` has `__slots__` and forbids setting attributes, which is how pickle restores slots: {error}"
    help = "use `@dataclass(frozen=True, slots=True)`, or add `__getstate__` and `__setstate__`"
    marks = frozenset()
    of_results = True
    words = frozenset({"__slots__"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        if isinstance(crossing.value, InstanceValue):
            yield from _judged(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        yield from seldom_sent(_judged(class_, linker), class_, linker)


def _judged(class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
    slots = _slots(class_.facts.body.get("__slots__"))
    line = plain_ancestors(class_, linker.classes)
    if not slots or line is None or defines(line, *REDUCERS, "__setstate__", "__getstate__"):
        return
    error = _refusal(class_, line, slots[0])
    if error is not None:
        yield Hazard(
            site=Site(class_.module, class_.facts.header),
            noun="its slots cannot be restored",
            error=error,
            data={"class_": class_.facts.name},
        )


def _slots(value: Expr | None) -> list[str]:
    """The names of literal slots, without `__dict__` and `__weakref__`."""
    elements = value.elements if isinstance(value, Collection) else (value,)
    names = [each.value for each in elements if isinstance(each, Constant)]
    return [name for name in names if isinstance(name, str) and not name.startswith("__")]


def _refusal(class_: ClassValue, line: tuple[ClassValue, ...], slot: str) -> str | None:
    """The error that setting an attribute always raises; None if it may work."""
    for decorator in class_.facts.decorators:
        match decorator:
            case Call(function=function) if _last(function) == "dataclass":
                frozen, slots = decorator.keyword("frozen"), decorator.keyword("slots")
                if slots is None and isinstance(frozen, Constant) and frozen.value is True:
                    return f"dataclasses.FrozenInstanceError: cannot assign to field '{slot}'"
            case _:
                pass
    if class_.facts.decorators:
        return None
    setter = next((each.facts.methods["__setattr__"] for each in line if "__setattr__" in each.facts.methods), None)
    return _raised(setter) if setter is not None else None


def _raised(setter: FunctionFacts) -> str | None:
    """The error of a `__setattr__` that only raises."""
    if any(isinstance(event, Raised) and event.conditional for event in setter.events):
        return None
    if any(
        isinstance(e, Called) and isinstance(e.call.function, Attribute) and e.call.function.name == "__setattr__"
        for e in setter.events
    ):
        return None
    for event in setter.events:
        if isinstance(event, Raised):
            value = event.value.function if isinstance(event.value, Call) else event.value
            arguments = event.value.positional() if isinstance(event.value, Call) else ()
            text = arguments[0].value if arguments and isinstance(arguments[0], Constant) else None
            name = _last(value)
            return f"{name}: {text}" if text else name
    return None


def _last(value: Expr) -> str | None:
    parts = chain(value)
    return parts[-1] if parts else None
