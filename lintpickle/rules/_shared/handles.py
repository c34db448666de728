"""The base of rules about objects that a worker must recreate."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.products import KeptProduct, ProductRule
from lintpickle.rules.authoring import (
    STATE_HOOKS,
    Attribute,
    Call,
    Called,
    Classes,
    ClassValue,
    Delete,
    Evaluator,
    Expr,
    ExternalValue,
    FunctionFacts,
    GeneratorValue,
    Hazard,
    Held,
    InstanceValue,
    ItemStore,
    Linker,
    Parameter,
    ProductValue,
    Store,
    chain,
    is_without_state,
    state_hooks,
    without_narrowing,
)

_WITH_POSITION = frozenset({"file", "database", "socket", "client"})
"""Kinds of handles whose methods may leave them in another state than that in which they are opened: a position, a
session, tables in memory."""
_CONSTRUCTORS = ("__init__", "__post_init__", "__attrs_post_init__", "model_post_init")
_PLAIN_KINDS = frozenset({"dataset", "iterable-dataset", "sampler", "batch-sampler", "collate"})
_SLOTTED_BY = frozenset({"define", "frozen", "mutable", "attrs", "s"})


class HandleRule(ProductRule):
    """Reports objects in the catalog, and fixes them with pickling hooks where the call can be repeated."""

    applicability = Applicability.UNSAFE

    def can_repeat(self, value: ProductValue, evaluator: Evaluator) -> bool:
        """Whether repeating the call in another process makes an equivalent object."""
        return False

    def fix(self, hazard: Hazard[KeptProduct]) -> Fix | None:
        """Leave the object out of the pickled state, and recreate it from the other attributes."""
        crossing, linker = hazard.subject.crossing, hazard.subject.linker
        holder, held = crossing.holder, crossing.held
        if holder is None or held is None or not isinstance(crossing.value, ProductValue):
            return None
        if not self.can_repeat(crossing.value, linker.evaluator) or held.site.module is not hazard.site.module:
            return None
        if not _is_stored_for_good(holder, held, linker.classes):
            return None
        if _is_used_by_construction(held, holder, crossing.value.product.kind in _WITH_POSITION, linker.classes):
            return None
        hooks = state_hooks(hazard.site.module.document.text, hazard.site.span, held.attribute)
        if hooks is None or not all(_survives(name, holder, held, linker) for name in hooks.reads):
            return None
        message = f"Leave `{held.attribute}` out of the pickled state and recreate it in `__setstate__`"
        is_the_help = "`__setstate__`" in (hazard.help or "")
        return Fix(message, Applicability.UNSAFE, hooks.edits, is_the_help)


def _is_stored_for_good(holder: InstanceValue, held: Held, classes: Classes) -> bool:
    """Whether every instance of the class holds the value once it is constructed."""
    if held.owner is None or not held.direct or not _is_plain(holder, held.owner, classes):
        return False
    entries = [each for each in classes.states.state(holder) if each.attribute == held.attribute]
    return (
        entries == [held]
        and _is_run_by_construction(held, holder, classes)
        and not _is_stored_elsewhere(held.attribute, holder, {*_CONSTRUCTORS, held.method}, classes)
    )


def _is_used_by_construction(held: Held, holder: InstanceValue, by_calls: bool, classes: Classes) -> bool:
    """Whether the constructor, or the method that opens the handle, goes on to change it: it sets something on it or,
    if `by_calls` may do so too, calls one of its methods or hands it to something. What is opened anew is not so."""
    for function in _methods(holder, classes):
        if function.name not in {*_CONSTRUCTORS, held.method}:
            continue
        for event in function.events:
            match event:
                case Store(target=target) | ItemStore(target=target) if _is_on_self(target, function, held.attribute):
                    return True
                case Called(call=call) if by_calls and event.span != held.value.span:
                    used = [argument.value for argument in call.arguments]
                    used += [call.function.base] if isinstance(call.function, Attribute) else []
                    if any(_is_handle(each, held, function) for each in used):
                        return True
                case _:
                    pass
    return False


def _is_handle(value: Expr, held: Held, function: FunctionFacts) -> bool:
    """Whether an expression of a method is what the attribute holds, or the variable from which that is stored."""
    value = without_narrowing(value)
    return value is without_narrowing(held.value) or _is_on_self(value, function, held.attribute)


def _is_plain(holder: InstanceValue, owner: ClassValue, classes: Classes) -> bool:
    """Whether no visible class of the hierarchy defines pickling hooks. The caller, who would extend them, checks the
    hooks of `owner`.
    """
    for ancestor in classes.mro(holder):
        if isinstance(ancestor, ExternalValue):
            if not _is_plain_base(ancestor, classes):
                return False
        else:
            facts = ancestor.facts
            own = {*facts.methods, *facts.body}
            hooked = ancestor.facts is not owner.facts and STATE_HOOKS & own
            if hooked or {"__slots__", "__new__"} & own or any(map(_gives_slots, facts.decorators)):
                return False
    return True


def _is_plain_base(base: ExternalValue, classes: Classes) -> bool:
    if is_without_state(base.path):
        return True
    kind = classes.kind(base)
    if kind is not None:
        return kind in _PLAIN_KINDS and not base.path.endswith("DataPipe")
    top = base.path.partition(".")[0]
    return top != "builtins" and top not in sys.stdlib_module_names


def _gives_slots(decorator: Expr) -> bool:
    """Whether a class decorator may give the class `__slots__`, so that it has no `__dict__`."""
    match decorator:
        case Call(function=function):
            return decorator.keyword("slots") is not None or _gives_slots(function)
        case _:
            names = chain(decorator)
            return names is not None and names[-1] in _SLOTTED_BY


def _is_run_by_construction(held: Held, holder: InstanceValue, classes: Classes) -> bool:
    """Whether every construction runs the method that stores the value."""
    if held.method in _CONSTRUCTORS:
        return True
    return any(
        isinstance(event, Called) and not event.conditional and _is_on_self(event.call.function, function, held.method)
        for function in _methods(holder, classes)
        if function.name in _CONSTRUCTORS
        for event in function.events
    )


def _is_on_self(value: Expr, function: FunctionFacts, name: str) -> bool:
    return isinstance(value, Attribute) and value.name == name and _is_self(value.base, function)


def _is_self(value: Expr, function: FunctionFacts) -> bool:
    match value:
        case Parameter(name=name):
            return bool(function.parameters) and function.parameters[0].name == name
        case _:
            return False


def _methods(holder: InstanceValue, classes: Classes) -> Iterator[FunctionFacts]:
    for ancestor in classes.mro(holder):
        if isinstance(ancestor, ClassValue):
            yield from ancestor.facts.methods.values()


def _is_stored_elsewhere(attribute: str, holder: InstanceValue, within: set[str], classes: Classes) -> bool:
    """Whether a method other than `__setstate__` and those named stores the attribute, or any method deletes it."""
    for function in _methods(holder, classes):
        for event in function.events:
            match event:
                case Delete(target=target, attribute=name):
                    if name == attribute and _is_self(target, function):
                        return True
                case Store(target=target, attribute=name):
                    allowed = function.name in within or function.name == "__setstate__"
                    if name == attribute and not allowed and _is_self(target, function):
                        return True
                case _:
                    pass
    return False


def _is_filled_elsewhere(attribute: str, holder: InstanceValue, within: set[str], classes: Classes) -> bool:
    """Whether a method other than those named adds something to the object in the attribute."""
    return any(
        isinstance(event, ItemStore) and _is_on_self(event.target, function, attribute)
        for function in _methods(holder, classes)
        if function.name not in within
        for event in function.events
    )


def _survives(attribute: str, holder: InstanceValue, handle: Held, linker: Linker) -> bool:
    """Whether an attribute has the same value after unpickling as when the handle was made."""
    classes = linker.classes
    state = classes.states.state(holder)
    entries = [(index, each) for index, each in enumerate(state) if each.attribute == attribute]
    if not entries:
        in_class = any(isinstance(each, ClassValue) and attribute in each.facts.body for each in classes.mro(holder))
        return in_class and not _is_stored_elsewhere(attribute, holder, set(), classes)
    if any(index > state.index(handle) for index, _ in entries):
        return False
    within = {*_CONSTRUCTORS, *(each.method for _, each in entries)}
    if _is_stored_elsewhere(attribute, holder, within, classes):
        return False
    if _is_filled_elsewhere(attribute, holder, within, classes):
        return False
    return not any(
        isinstance(traced.value, ProductValue | GeneratorValue)
        for _, each in entries
        for traced in linker.evaluate(each.value, each.frame)
    )
