"""Shared by the rules about functions and classes that pickle cannot find by name: not a rule itself."""

from __future__ import annotations

from lintpickle.catalog import Failure
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ClassThing, FunctionThing
from lintpickle.payload.linker import Linker


def function_error(thing: FunctionThing) -> str:
    """What pickle says of a function whose qualified name cannot be looked up (CPython 3.11)."""
    if thing.facts.is_local:
        return f"AttributeError: Can't pickle local object '{thing.facts.qualname}'"
    name = thing.facts.qualname
    is_main = thing.facts.main_guard or thing.module.document.cells is not None
    module = "__main__" if is_main else thing.module.name
    return f"_pickle.PicklingError: Can't pickle <function {name} at 0x…>: attribute lookup {name} on {module} failed"


def class_error(thing: ClassThing) -> Failure:
    """What pickle says of a class that is defined in a function (CPython 3.11.7, 3.13.0, 3.14.8)."""
    name = thing.facts.qualname
    return Failure(
        f"AttributeError: Can't pickle local object '{name}'",
        (
            ((3, 13), f"AttributeError: Can't get local object '{name}'"),
            ((3, 14), f"_pickle.PicklingError: Can't pickle local object <class '{thing.module.name}.{name}'>"),
        ),
    )


def has_name(thing: FunctionThing) -> bool:
    """Whether the function has a name of its own that leads to it: of the module, or of one of its classes."""
    return not thing.facts.is_local and thing.facts.name != "<lambda>"


def wraps(thing: FunctionThing, linker: Linker) -> FunctionThing | None:
    """The function with a name of its own (`has_name`) whose name a wrapper bears by `@functools.wraps(function)`."""
    for decorator in thing.facts.decorators:
        if isinstance(decorator, Call) and thing.facts.decorated_by("wraps") and decorator.arguments and thing.frame:
            for reached in linker.evaluator.evaluate(decorator.arguments[0].value, thing.frame):
                if isinstance(reached.thing, FunctionThing) and has_name(reached.thing):
                    return reached.thing
    return None
