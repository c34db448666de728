"""Arguments that subclasses of what starts workers hand on to it: `super().__init__(*args, **kwargs)`."""

from __future__ import annotations

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Argument, Attribute, Call, Expr, Mapping, Parameter
from lintpickle.payload.linker import Linker

_CONSTRUCTOR = "__init__"


def given_by_caller(name: str, boundary: BoundaryCall, linker: Linker) -> Expr | None:
    """What stands in the call for a parameter of a boundary, where the call makes an object of a subclass also if its
    constructor hands on all that it is given."""
    bound = boundary.arguments.get(name)
    if bound is not None:
        return bound.expr if bound.frame is boundary.frame else None
    made = linker.classes.find_method(boundary.callee, _CONSTRUCTOR) if boundary.callee is not None else None
    if made is None or not hands_all_on(made[1]):
        return None
    return boundary.call.argument(name, boundary.spec.parameters.index(name))


def hands_all_on(constructor: FunctionFacts) -> bool:
    """Whether a constructor takes any arguments and hands them all on to another, as they are."""
    rest = {each.kind: each.name for each in constructor.parameters[1:]}
    calls = (each.call for each in constructor.events if isinstance(each, Called))
    return list(rest) == ["*", "**"] and any(_hands_on(call, rest) for call in calls)


def _hands_on(call: Call, rest: dict[str, str]) -> bool:
    """Whether a call of a constructor gives it those, and before them the object at most, as `Base.__init__` wants."""
    if not isinstance(call.function, Attribute) or call.function.name != _CONSTRUCTOR:
        return False
    match call.arguments[-2:]:
        case (
            Argument(star="*", value=Parameter(name=first)),
            Argument(star="**", value=Mapping(items=((None, last),))),
        ):
            is_all = isinstance(last, Parameter) and (first, last.name) == (rest["*"], rest["**"])
            return is_all and len(call.arguments) <= 3 and not call.arguments[0].keyword
        case _:
            return False
