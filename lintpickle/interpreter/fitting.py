"""Calls that surely raise a TypeError, because an argument is missing: nothing comes of them."""

from __future__ import annotations

import ast
import sys

from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import Bound, ClassValue, Frame
from lintpickle.interpreter.frames import expand
from lintpickle.interpreter.protocols import Ancestor, ClassQueries, Interpreter

_LIKE_STANDARD = sys.stdlib_module_names | {"builtins", "torch"}
"""Packages whose classes give a constructor the arguments that are written."""
WITHOUT_INSTANCE = ("staticmethod", "classmethod")


def lacks_arguments(function: FunctionFacts, bindings: dict[str, Bound], called_by: tuple[Frame, Call]) -> bool:
    """Whether a call that binds these parameters is written in the code as it is, and gives a function too few
    arguments: CPython raises a TypeError ("missing 1 required positional argument")."""
    required = (each for each in function.parameters if each.kind not in ("*", "**") and each.default is None)
    if all(each.name in bindings for each in required):
        return False
    frame, call = called_by
    is_as_defined = not function.decorators or function.decorated_by(*WITHOUT_INSTANCE)
    return is_as_defined and not any(argument.star for argument in call.arguments) and _is_written(call, frame)


def fails_to_make(class_: ClassValue, call: Call, frame: Frame, evaluator: Interpreter) -> bool:
    """Whether a call of a class surely gives its constructor too few arguments."""
    classes = evaluator.classes
    found = classes.find_method(class_, "__init__")
    if found is None or len(call.arguments) + 1 >= len(found[1].parameters):
        return False
    if not all(_makes_as_written(each, classes) for each in classes.mro(class_)):
        return False
    me, *others = found[1].parameters
    arguments = expand(call, frame, evaluator)
    placed = {each.name: bound for each, bound in zip(others, arguments.positional, strict=False)}
    return lacks_arguments(found[1], {me.name: Bound(), **placed, **arguments.keywords}, (frame, call))


def _makes_as_written(class_: Ancestor, classes: ClassQueries) -> bool:
    """Whether a class leaves it to the constructor what a call has to give, as far as it and its decorators tell."""
    if not isinstance(class_, ClassValue):
        return class_.path.partition(".")[0] in _LIKE_STANDARD
    facts = class_.facts
    is_plain = not facts.decorators and not facts.keywords and "__new__" not in facts.methods
    return is_plain and len(list(classes.bases(class_))) == len(facts.bases)


def _is_written(call: Call, frame: Frame) -> bool:
    """Whether a call stands in the code with as many arguments as it is taken to have."""
    written = frame.module.expression(call.span)
    return isinstance(written, ast.Call) and len(written.args) + len(written.keywords) == len(call.arguments)
