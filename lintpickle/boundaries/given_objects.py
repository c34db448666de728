"""Methods that are called on what an object was given when it was made (`self.executor.submit(work, 3)`), or what a
library gives a function."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall, boundary_call
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, options_of, without_narrowing
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    ConstantValue,
    ExternalResult,
    FunctionValue,
    InstanceValue,
    ProductValue,
)
from lintpickle.interpreter.attribute_lookup import is_class_of_own
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.root_frames import RootFrame

_POOLS = {"process-executor": re.compile(r"\bProcessPoolExecutor\("), "mp-pool": re.compile(r"\bPool\(")}
"""The kinds of pools that a module may make, and how they stand there."""
_OF_THREADS = re.compile(r"\bThreadPool|\bmultiprocessing\.dummy\b")


def on_pool_of_library(event: Called, root: RootFrame, evaluator: Evaluator) -> Iterator[BoundaryCall]:
    """What a method of a parameter is that a library gives to a function which is decorated for it, if that looks like
    the only kind of pools which the module makes: `@click.pass_obj`."""
    function, module = event.call.function, root.frame.module
    if not root.function.decorators or not isinstance(function, Attribute) or module.has(_OF_THREADS):
        return
    given = event.call.positional() or ()
    called = [each.value for each in evaluator.evaluate(given[0], root.frame)] if given else []
    kinds = [kind for kind, form in _POOLS.items() if module.has(form)]
    if len(kinds) != 1 or not called or not all(isinstance(each, FunctionValue) for each in called):
        return
    spec = evaluator.catalog.boundary_method(kinds[0], function.name)
    if spec is not None and spec.functions:
        yield boundary_call(spec, event.call, root.frame, event, evaluator)


def root_of_pool(value: Expr, evaluator: Evaluator) -> Expr:
    """What an object comes from, if a method made it that gives pools or queues: of `context.Pool(2)`, the context. Of
    any other expression, itself."""
    match made := without_narrowing(value):
        case Call(function=Attribute(base=base, name=name)) if name in evaluator.catalog.making_methods():
            return without_narrowing(base)
        case _:
            return made


def is_on_given_attribute(event: Called, root: RootFrame, evaluator: Evaluator) -> bool:
    """Whether a method that can be a boundary is called on an attribute of the object, of which nothing is known but
    that the constructor gets it; or on what such an attribute makes."""
    function = event.call.function
    held = root_of_pool(function.base, evaluator) if isinstance(function, Attribute) else None
    if not isinstance(function, Attribute) or not isinstance(held, Attribute) or root.is_constructor:
        return False
    me = without_narrowing(held.base)
    if not isinstance(me, Parameter) or me.name != root.instance_name:
        return False
    if function.name not in evaluator.catalog.boundary_methods() or not _is_given(held.name, root, evaluator):
        return False
    found = (each.value for each in evaluator.evaluate(held, root.frame))
    return all(each is UNKNOWN or (isinstance(each, ConstantValue) and each.value is None) for each in found)


def is_on_inherited_attribute(event: Called, root: RootFrame, evaluator: Evaluator) -> bool:
    """Whether a method that can be a boundary is called on an attribute of the object that holds something of a
    library: a base class of another module may have made it."""
    function = event.call.function
    held = without_narrowing(function.base) if isinstance(function, Attribute) else None
    if not isinstance(function, Attribute) or function.name not in evaluator.catalog.boundary_methods():
        return False
    if not isinstance(held, Attribute) or not isinstance(me := without_narrowing(held.base), Parameter):
        return False
    if root.is_constructor or me.name != root.instance_name:
        return False
    found = (each.value for each in evaluator.evaluate(held, root.frame))
    return any(isinstance(each, (ExternalResult, ProductValue)) for each in found)


def _is_given(attribute: str, root: RootFrame, evaluator: Evaluator) -> bool:
    """Whether the constructor stores a parameter of its own in an attribute, or what that makes."""
    bound = root.frame.bindings.get(root.instance_name or "")
    if bound is None or not isinstance(bound.value, InstanceValue):
        return False
    stored = [
        option
        for held in evaluator.classes.states.state(bound.value)
        if held.attribute == attribute and held.direct
        for option in options_of(held.value)
    ]
    stored += _given_to_class(attribute, bound.value, evaluator)
    return any(isinstance(root_of_pool(each, evaluator), Parameter) for each in stored)


def _given_to_class(attribute: str, instance: InstanceValue, evaluator: Evaluator) -> Iterator[Expr]:
    """What the constructor stores in an attribute of the class: `type(self).pool = pool`."""
    found = evaluator.classes.find_method(instance, "__init__")
    for event in found[1].events if found is not None and found[1].parameters else ():
        match event:
            case Store(target=target, attribute=name, value=value) if found is not None and name == attribute:
                if is_class_of_own(target, found[1], found[0]):
                    yield value
            case _:
                pass
