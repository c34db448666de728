from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.functions import bound_to
from lintpickle.analyses.calls_and_values.values import resolves_to
from lintpickle.analyses.pickle_hooks.own_state import reads_attribute
from lintpickle.analyses.pickle_hooks.shipped_modules import is_shipped
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    ALL_MARKS,
    SHIPPED_KINDS,
    Attribute,
    Call,
    ClassValue,
    Crossing,
    Expr,
    FunctionValue,
    Hazard,
    InstanceValue,
    Linker,
    RootFrame,
    Rule,
    Shipped,
    Site,
    Store,
    carries_functions,
    chain,
    excerpt,
    is_special_name,
)


class MisnamedMethodAttribute(Rule):
    """A bound method kept on an object that has no method of that name when it is unpickled."""

    code = "LP123"
    name = "misnamed-method-attribute"
    value_types = (FunctionValue,)
    message = "bound method `{excerpt}` is kept: pickle asks the new object for `{method}`, which it lacks: {error}"
    help = "call the function from a method of the class, or rename the private method"
    marks = ALL_MARKS
    words = frozenset({"MethodType(", ".__", "= self.__", "(self.__"})
    class_words = frozenset({"= self.__", "(self.__"})
    function_words = frozenset({"MethodType("})
    class_kinds = SHIPPED_KINDS

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard]:
        """`self.step = self.__step`: the name is mangled in the class, but not in the pickle; and
        `self.step = types.MethodType(step, self)`."""
        if isinstance(crossing.value, FunctionValue) and crossing.root.kind != "deepcopy":
            yield from _private(crossing.value, crossing.site, None)
            if not carries_functions(crossing):
                yield from _bound(crossing, crossing.value, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        if linker.classes.kind(class_) not in SHIPPED_KINDS or not any(map(_is_private, class_.facts.methods)):
            return
        instance = linker.activations.instance(class_)
        lets_through = Shipped(instance, linker.evaluator)
        confidence = None if linker.is_offered(class_) else Confidence.POSSIBLE
        for held in linker.classes.states.state(instance):
            if held.name in lets_through:
                for traced in linker.evaluate(held.value, held.frame):
                    if isinstance(traced.value, FunctionValue):
                        yield from _private(traced.value, traced.site, confidence)

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        """`model.features = types.MethodType(features, model)`."""
        for event in root.function.events:
            if not isinstance(event, Store) or not isinstance(event.value, Call):
                continue
            call = event.value
            positional = call.positional() or ()
            if len(positional) != 2 or not _is_method_type(call, root, linker):
                continue
            target = chain(event.target)
            if target is None or target != chain(positional[1]) or _is_left_out(target, root, linker):
                continue
            confidence = Confidence.LIKELY if is_shipped(event.target, root, linker) else Confidence.POSSIBLE
            for traced in linker.evaluate(positional[0], root.frame):
                match traced.value:
                    case FunctionValue(facts=facts, bound=None) if not _has_method(event, facts.name, root, linker):
                        module = root.frame.module
                        yield Hazard(
                            site=Site(module, event.span),
                            noun="the method of one object",
                            error=f"AttributeError: '…' object has no attribute '{facts.name}'",
                            help="define it as a method of the class",
                            data={
                                "excerpt": excerpt(module, call),
                                "method": facts.name,
                            },
                            confidence=confidence,
                        )
                    case _:
                        pass


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _private(value: FunctionValue, site: Site, confidence: Confidence | None) -> Iterator[Hazard]:
    name = value.facts.name
    if isinstance(value.bound, InstanceValue) and _is_private(name):
        yield Hazard(
            site=site,
            noun="the private method",
            error=f"AttributeError: '{value.bound.class_.facts.name}' object has no attribute '{name}'",
            help="rename the method so that its name does not begin with two underscores",
            data={
                "excerpt": excerpt(site.module, Expr(site.span)),
                "method": name,
            },
            confidence=confidence,
        )


def _bound(crossing: Crossing, function: FunctionValue, linker: Linker) -> Iterator[Hazard]:
    """A function that is kept as a method of an object whose class has none of that name."""
    owner, name = bound_to(crossing), function.facts.name
    if owner is None or function.bound is not None or crossing.inside is None or is_special_name(name):
        return
    values = [traced.value for traced in linker.evaluate(owner.value, owner.frame)]
    instances = [each for each in values if isinstance(each, InstanceValue)]
    lacking = [each for each in instances if linker.classes.find_method(each, name) is None]
    if lacking and len(lacking) == len(values):
        site = crossing.held.site if crossing.held is not None else crossing.inside.site
        yield Hazard(
            site=site,
            noun="the method of one object",
            error=f"AttributeError: '{lacking[0].class_.facts.name}' object has no attribute '{name}'",
            help="define it as a method of the class",
            data={"excerpt": excerpt(crossing.inside.site.module, Expr(crossing.inside.site.span)), "method": name},
        )


def _is_left_out(target: tuple[str, ...], root: RootFrame, linker: Linker) -> bool:
    """Whether the function gives the object a `__getstate__` of its own, which pickle asks the object for (measured
    with CPython 3.10 to 3.13), and which does more than give the whole `__dict__`."""
    hooks = (each for each in root.function.events if isinstance(each, Store) and each.attribute == "__getstate__")
    for hook in hooks:
        values = (
            [traced.value for each in hook.value.positional() or () for traced in linker.evaluate(each, root.frame)]
            if isinstance(hook.value, Call)
            else []
        )
        functions = [each for each in values if isinstance(each, FunctionValue)]
        if chain(hook.target) == target and not any(map(_gives_all, functions)):
            return True
    return False


def _gives_all(hook: FunctionValue) -> bool:
    """Whether a function gives the `__dict__` of an object as it is."""
    return any(isinstance(each, Attribute) and each.name == "__dict__" for each in hook.facts.returns)


def _is_method_type(call: Call, root: RootFrame, linker: Linker) -> bool:
    return resolves_to(call.function, root.frame, linker, ("types.MethodType",))


def _has_method(event: Store, name: str, root: RootFrame, linker: Linker) -> bool:
    """Whether the object's class is known to have such a method, or the name is usual for modules or datasets, or the
    function reads the object's previous attribute of that name."""
    if is_special_name(name) or name in ("forward", "train", "eval"):
        return True
    if reads_attribute(name, event.target, root):
        return True
    return any(
        isinstance(traced.value, InstanceValue) and linker.classes.find_method(traced.value, name) is not None
        for traced in linker.evaluate(event.target, root.frame)
    )
