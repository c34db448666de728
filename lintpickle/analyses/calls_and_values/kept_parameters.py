"""Which parameters of a constructor an object keeps, and under which names."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, Mapping, Parameter, Super
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.linker import Linker


def stores_by_attribute(init: FunctionFacts) -> dict[str, list[Expr]]:
    """What a constructor stores in each attribute."""
    stores: dict[str, list[Expr]] = {}
    for event in init.events:
        if isinstance(event, Store) and is_me(event.target, init):
            stores.setdefault(event.attribute, []).append(event.value)
    return stores


def kept_parameters(init: FunctionFacts) -> Iterator[tuple[str, str]]:
    """Attributes that hold a parameter unchanged, each with the parameter."""
    for attribute, values in stores_by_attribute(init).items():
        match values:
            case [Parameter(name=name)]:
                yield attribute, name
            case _:
                pass


def kept_behind(
    count: int, class_: ClassValue, constructor: tuple[ClassValue, FunctionFacts], linker: Linker
) -> Iterator[tuple[str, str]]:
    """The parameters behind the first `count` that an object keeps, also those that `**kwargs` leads to in the
    constructor of a parent, each with its attribute. `constructor` is that of the class, with its owner."""
    owner, init = constructor
    attributes = {parameter: attribute for attribute, parameter in kept_parameters(init)}
    positional = [each for each in init.parameters[1:] if each.kind in ("positional-only", "positional")]
    behind = [*positional[count:], *(each for each in init.parameters if each.kind == "keyword-only")]
    yield from ((each.name, attributes[each.name]) for each in behind if each.name in attributes)
    call = _call_of_parent(init)
    above = linker.classes.find_method(class_, "__init__", after=owner) if call is not None else None
    if call is not None and above is not None:
        given = {argument.keyword for argument in call.arguments}
        passed = sum(argument.keyword is None for argument in call.arguments) - 1
        yield from (each for each in kept_behind(passed, class_, above, linker) if each[0] not in given)


def _call_of_parent(init: FunctionFacts) -> Call | None:
    """The call of the parent's constructor that is given all of `**kwargs`."""
    rest = next((each.name for each in init.parameters if each.kind == "**"), None)
    for event in init.events if rest is not None else ():
        match event:
            case Called(call=Call(function=Attribute(base=Super(), name="__init__"), arguments=[*_, last]) as call):
                match last.value:
                    case Mapping(items=((None, Parameter(name=name)),)) if name == rest:
                        return call
                    case _:
                        pass
            case _:
                pass
    return None
