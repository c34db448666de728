"""Fields of dataclasses, attrs classes and NamedTuples: which of them an object keeps, and what each is given."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from lintpickle.facts.records import FieldFacts
from lintpickle.facts.values import Attribute, Call, Constant, Expr, chain, ending_name, uncalled
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    Bound,
    ClassValue,
    ConstantValue,
    ContainerValue,
    ExternalValue,
    FunctionValue,
    InstanceValue,
)
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.protocols import ClassQueries

_FIELD_MAKERS = frozenset({"field", "Field", "ib", "attrib", "PrivateAttr"})
_ATTRS_MAKERS = frozenset(
    {("attr", "ib"), ("attr", "attrib"), ("attr", "field"), ("attrs", "field"), ("ib",), ("attrib",)}
)
"""How code names what makes a field of an attrs class without an annotation."""
_FACTORY = "Factory"
_MODELS = frozenset({"pydantic.BaseModel", "pydantic.main.BaseModel", "pydantic_settings.BaseSettings"})


RECORDS = _MODELS | {"typing.NamedTuple", "typing_extensions.NamedTuple", "msgspec.Struct"}
"""Classes whose subclasses have a field for each annotated name."""


class GivenField(Struct, frozen=True):
    """A field of the class `owner`, and what the call that makes the object gives it, if it gives anything."""

    owner: ClassValue
    field: FieldFacts
    bound: Bound | None

    @property
    def default(self) -> Expr | None:
        """What the field holds if nothing is given: `field(default=…)` unwrapped; a `default_factory` makes a fresh
        object: it is called, and so is what `attr.Factory` is given."""
        value = self.field.default
        if not isinstance(value, Call):
            return value
        for keyword in ("default", "default_factory", "factory"):
            argument = value.keyword(keyword)
            if argument is not None:
                return _made(argument) if keyword == "default" else Call(argument.span, argument, ())
        if not _is_field(value):
            return _made(value)
        first = value.arguments[0] if value.arguments else None
        return _made(first.value) if first is not None and first.keyword is None and not first.star else None


def _made(default: Expr) -> Expr:
    """What a field holds by default: `attr.Factory(list)` calls what it is given."""
    if isinstance(default, Call) and ending_name(default.function) == _FACTORY:
        maker = default.argument("factory", 0)
        return Call(maker.span, maker, ()) if maker is not None else default
    return default


def given_fields(instance: InstanceValue, arguments: Arguments, classes: ClassQueries) -> Iterator[GivenField]:
    """The fields of an instance's classes, those of base classes first, with what they are given."""
    position = 0
    line = classes.mro(instance)
    is_record = any(isinstance(each, ExternalValue) and each.path in RECORDS for each in line)
    for owner in reversed(line):
        if not isinstance(owner, ClassValue) or not (is_record or owner.facts.decorators):
            continue
        for field in _own_fields(owner):
            bound = arguments.keywords.get(field.name) or _given_without_underscore(field, arguments)
            if _is_positional(field):
                if bound is None and position < len(arguments.positional):
                    bound = arguments.positional[position]
                position += 1
            yield GivenField(owner, field, bound)


def is_model(instance: InstanceValue, classes: ClassQueries) -> bool:
    """Whether an object is a model of pydantic's."""
    return any(isinstance(each, ExternalValue) and each.path in _MODELS for each in classes.mro(instance))


def _private(owner: ClassValue) -> Iterator[FieldFacts]:
    """The private attributes of a model that are not annotated."""
    for name, value in owner.facts.body.items():
        if isinstance(value, Call) and (chain(value.function) or ("",))[-1] == "PrivateAttr":
            yield FieldFacts(name, value, keyword_only=True)


def _own_fields(owner: ClassValue) -> tuple[FieldFacts, ...]:
    """The fields of a class, in order. If an attrs class has some that are not annotated (`rows = attr.ib()`), only
    those are fields that `attr.ib` makes."""
    body, annotated = owner.facts.body.items(), owner.facts.fields
    others = [(value.span.start, FieldFacts(name, value)) for name, value in body if _is_made_by_attrs(value)]
    if not others:
        return (*annotated, *_private(owner))
    made = [(each.default.span.start, each) for each in annotated if each.default and _is_made_by_attrs(each.default)]
    return tuple(each for _, each in sorted((*made, *others), key=lambda placed: placed[0]))


def _is_made_by_attrs(value: Expr | None) -> bool:
    return isinstance(value, Call) and chain(value.function) in _ATTRS_MAKERS


def _given_without_underscore(field: FieldFacts, arguments: Arguments) -> Bound | None:
    """What attrs gives a private field: its constructor takes that without the underscore."""
    return arguments.keywords.get(field.name.lstrip("_")) if _is_made_by_attrs(field.default) else None


def field_names(instance: InstanceValue, classes: ClassQueries) -> frozenset[str] | None:
    """The names of an instance's fields; None if its class is no dataclass."""
    given = tuple(given_fields(instance, Arguments((), {}, True), classes))
    return frozenset(each.field.name for each in given if each.field.stored) if given else None


def is_dataclass(value: AbstractValue, classes: ClassQueries) -> bool | None:
    """How `dataclasses.is_dataclass` answers for an object or a class; None if that is not known."""
    if not isinstance(value, (InstanceValue, ClassValue)):
        return False if isinstance(value, (ConstantValue, ContainerValue, FunctionValue)) else None
    line = classes.mro(value)
    own = [each for each in line if isinstance(each, ClassValue)]
    decorators = [each for owner in own for each in owner.facts.decorators]
    called = [uncalled(each) for each in decorators]
    if any(ending_name(each) == "dataclass" for each in called):
        return True
    is_read = all(isinstance(each, ClassValue) or each.path == "builtins.object" for each in line)
    return False if is_read and not decorators else None


def is_class_attribute(name: str, instance: InstanceValue, classes: ClassQueries) -> bool:
    """Whether a class of the instance has an attribute of its own of that name, no field that each object gets."""
    line = classes.mro(instance)
    owner = next((each for each in line if isinstance(each, ClassValue) and _has(each, name)), None)
    if owner is None or name in owner.facts.body:
        return owner is not None and not (owner.facts.decorators and _is_made_by_attrs(owner.facts.body[name]))
    return value_on_class(name, owner, classes) is not None


def value_on_class(name: str, class_: ClassValue, classes: ClassQueries) -> Expr | None:
    """What the body of a class gives a name: in an assignment, or, if annotated names are no fields there, with an
    annotation."""
    written = class_.facts.body.get(name)
    if written is not None or not class_.facts.fields:
        return written
    field = next((each for each in class_.facts.fields if each.name == name and each.default is not None), None)
    return field.default if field is not None and not _makes_fields(class_, classes) else None


def _makes_fields(owner: ClassValue, classes: ClassQueries) -> bool:
    return bool(owner.facts.decorators) or any(_may_make_fields(each, classes) for each in classes.mro(owner))


def _has(class_: ClassValue, name: str) -> bool:
    return name in class_.facts.body or any(field.name == name for field in class_.facts.fields)


def _may_make_fields(ancestor: ClassValue | ExternalValue, classes: ClassQueries) -> bool:
    """Whether a base class that is not read may turn annotations into fields (pydantic's models, NamedTuples)."""
    return isinstance(ancestor, ExternalValue) and ancestor.path != "builtins.object" and classes.kind(ancestor) is None


def _is_positional(field: FieldFacts) -> bool:
    """Whether a constructor takes the field by position."""
    default = field.default
    if field.keyword_only or not isinstance(default, Call) or not _is_field(default):
        return not field.keyword_only
    is_in, keyword_only = default.keyword("init"), default.keyword("kw_only")
    return not _is_constant(is_in, False) and not _is_constant(keyword_only, True)


def _is_constant(value: Expr | None, constant: bool) -> bool:
    return isinstance(value, Constant) and value.value is constant


def _is_field(call: Call) -> bool:
    function = call.function
    return (function.name if isinstance(function, Attribute) else getattr(function, "name", "")) in _FIELD_MAKERS
