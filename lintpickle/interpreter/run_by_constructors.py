"""What making an object runs besides its `__init__`: `__new__`, what makes the defaults of fields, `__post_init__`."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Argument, Attribute, Call, Expr, ending_name
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.interpreter.fields import given_fields
from lintpickle.interpreter.frames import expand
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.resolution.construction import AFTER_INIT

_OF_ATTRS = "Factory"
_DEFAULT = "default"


def run_by_constructor(
    class_: ClassValue, call: Call, frame: Frame, evaluator: Interpreter
) -> Iterator[tuple[FunctionValue, Call]]:
    """The functions that a call of a class runs besides `__init__`, each with the call that this amounts to."""
    classes = evaluator.classes
    new = classes.find_method(class_, "__new__")
    if new is not None:
        yield FunctionValue(new[0].module, new[1], new[0].frame, class_), call
    if classes.find_method(class_, "__init__") is not None or not _makes_fields(class_, evaluator):
        return
    instance, bare = InstanceValue(class_, call, frame), Call(call.span, call.function, ())
    for given in given_fields(instance, expand(call, frame, evaluator), classes):
        if given.bound is None:
            yield from ((made, bare) for made in _factories(given.owner, given.field.default, evaluator))
            yield from ((made, bare) for made in _default_methods(given.owner, given.field.name, instance))
    posts = (classes.find_method(class_, name) for name in AFTER_INIT)
    post = next((found for found in posts if found is not None), None)
    if post is not None:
        any_given = Call(call.span, call.function, (Argument(Expr(call.span), star="*"),))
        yield FunctionValue(post[0].module, post[1], post[0].frame, instance), any_given


def _makes_fields(class_: ClassValue, evaluator: Interpreter) -> bool:
    line = evaluator.classes.mro(class_)
    return any(isinstance(each, ClassValue) and (each.facts.fields or each.facts.body) for each in line)


def _factories(owner: ClassValue, default: Expr | None, evaluator: Interpreter) -> Iterator[FunctionValue]:
    """The functions that make the default of a field: `field(factory=make)`, `attr.ib(default=Factory(make))`."""
    factory = _factory(default)
    if factory is not None:
        for traced in evaluator.evaluate(factory, evaluator.classes.body_frame(owner)):
            if isinstance(traced.value, FunctionValue):
                yield traced.value


def _factory(default: Expr | None) -> Expr | None:
    """What is called to make the default of a field."""
    if not isinstance(default, Call):
        return None
    if ending_name(default.function) == _OF_ATTRS:
        return default.argument("factory", 0)
    return default.keyword("default_factory") or default.keyword("factory") or _factory(default.keyword(_DEFAULT))


def _default_methods(owner: ClassValue, field: str, instance: InstanceValue) -> Iterator[FunctionValue]:
    """The methods that attrs calls for the default of a field: `@ident.default`."""
    for method in owner.facts.methods.values():
        for decorator in method.decorators:
            if isinstance(decorator, Attribute) and decorator.name == _DEFAULT and ending_name(decorator.base) == field:
                yield FunctionValue(owner.module, method, owner.frame, instance)
