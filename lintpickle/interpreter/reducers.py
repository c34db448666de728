"""Pickling hooks that decide about the whole object: that it is not to be pickled at all, or as something else."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts, Raised
from lintpickle.facts.values import Attribute, Call, Collection, Expr, Name, Super, options_of
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    Frame,
    GeneratorValue,
    InstanceValue,
    ModuleValue,
    ProductValue,
    TracedValue,
)
from lintpickle.interpreter.evaluator import Evaluator

_REDUCERS = ("__reduce_ex__", "__reduce__")
"""In the order in which pickle asks for them."""


def is_kept_back(instance: InstanceValue, kind: str, evaluator: Evaluator) -> bool:
    """Whether the class of an instance that crosses at a boundary of some kind says itself what is to happen: that it
    is not to be pickled (a hook that does nothing but raise), or how it is copied."""
    classes = evaluator.classes
    if kind == "deepcopy" and classes.defines(instance, "__deepcopy__"):
        return True
    if evaluator.catalog.is_reduced(classes.kind(instance)):
        return True
    found = (classes.find_method(instance, hook) for hook in (*_REDUCERS, "__getstate__"))
    hook = next((each for each in found if each is not None), None)
    return hook is not None and _only_raises(hook[1])


def is_registered(made: AbstractValue, evaluator: Evaluator) -> bool:
    """Whether a reducer is registered for the type of what Python or a library has made: by the name that errors give
    it, for what was called, or for something else that makes the same."""
    registered = evaluator.classes.registered
    match made:
        case ModuleValue():
            return "module" in registered
        case GeneratorValue(kind=kind):
            return kind in registered
        case ProductValue(path=path, product=product) if registered:
            others = (evaluator.catalog.product(each) for each in registered if isinstance(each, str))
            is_same = any(each is not None and each.type == product.type for each in others)
            return is_same or path in registered or product.type in registered
        case _:
            return False


def _only_raises(function: FunctionFacts) -> bool:
    raised = any(isinstance(event, Raised) and not event.conditional for event in function.events)
    return raised and not function.returns and not function.is_generator


def pickles_its_class(instance: InstanceValue, evaluator: Evaluator) -> bool:
    """Whether a pickle of the instance names its class: it does, unless a reducer of its own gives other things."""
    classes = evaluator.classes
    if id(instance.class_.facts) in classes.registered:
        return False
    for hook in _REDUCERS:
        found = classes.find_method(instance, hook)
        if found is not None:
            return any(_names_class(value, *found, instance, evaluator) for value in found[1].returns)
        if classes.defines(instance, hook):
            return False
    return True


def rebuilding(instance: InstanceValue, evaluator: Evaluator) -> Iterator[TracedValue]:
    """What unpickling calls to make the instance anew, as a reducer of its class says: a function, or a class."""
    for hook in _REDUCERS:
        found = evaluator.classes.find_method(instance, hook)
        if found is not None:
            frame = _frame_of(*found, instance)
            for option in (option for value in found[1].returns for option in options_of(value)):
                if isinstance(option, Collection) and option.kind == "tuple" and option.elements:
                    yield from evaluator.evaluate(option.elements[0], frame)
            return


def _frame_of(owner: ClassValue, method: FunctionFacts, instance: InstanceValue) -> Frame:
    me = method.parameters[0].name if method.parameters else ""
    return Frame(owner.module, method, {me: Bound(value=instance)}, owner.frame, 1, open=True)


def _names_class(
    value: Expr, owner: ClassValue, method: FunctionFacts, instance: InstanceValue, evaluator: Evaluator
) -> bool:
    """Whether what a reducer of `owner` returns has the instance's class in it."""
    frame = _frame_of(owner, method, instance)
    for option in options_of(value):
        match option:
            case Call(function=Attribute(base=Super() | Name(name="object"))):
                return True  # What object's own reducer gives.
            case Collection(kind="tuple", elements=elements):
                if any(_is_class(part, frame, instance, evaluator) for part in _parts(elements[:2])):
                    return True
            case _:
                pass
    return False


def _parts(elements: tuple[Expr, ...]) -> Iterator[Expr]:
    for element in elements:
        yield from _parts(element.elements) if isinstance(element, Collection) else (element,)


def _is_class(value: Expr, frame: Frame, instance: InstanceValue, evaluator: Evaluator) -> bool:
    if isinstance(value, Call) and isinstance(value.function, Name) and value.function.name == "type":
        arguments = value.positional() or ()
        value = Attribute(value.span, arguments[0], "__class__") if len(arguments) == 1 else value
    facts = instance.class_.facts
    return any(
        isinstance(traced.value, ClassValue) and traced.value.facts is facts
        for traced in evaluator.evaluate(value, frame)
    )
