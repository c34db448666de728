"""What the annotation of a parameter says of it."""

from __future__ import annotations

import ast

from lintpickle.facts.values import Parameter
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.parsing.syntax import dotted, expression_in


def annotation_of(name: str, home: Frame) -> ast.expr | None:
    """The annotation of a parameter of the function that a frame activates."""
    for defined in ast.walk(home.paths.tree):
        if isinstance(defined, (ast.FunctionDef, ast.AsyncFunctionDef)) and defined.name == home.function.name:
            given = defined.args
            named = (each for each in (*given.posonlyargs, *given.args, *given.kwonlyargs) if each.arg == name)
            return next((each.annotation for each in named), None)
    return None


def class_named_for(parameter: Parameter, frame: Frame) -> str:
    """The dotted name of the only class that the annotation of a parameter names (`nn.Module`); "" if it names none or
    several."""
    home = frame.enclosing(parameter.owner)
    annotation = annotation_of(parameter.name, home) if home is not None else None
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = expression_in(annotation.value)
    return dotted(annotation) if annotation is not None else ""
