"""The number of workers of a loader that an object keeps from a parameter with a default, where the object is made with
keywords that are not seen (`Fit(**params)`): if nothing in the program names the parameter, it has its default."""

from __future__ import annotations

import re

from lintpickle.analyses.calls_and_values.hierarchies import node_of, stores_of
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import Attribute, Expr, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ConstantValue, Frame, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_CONSTRUCTOR = "__init__"
_FILES = ("json", "yaml", "toml", "configparser", "OmegaConf", "hydra")
_READS_FILES = re.compile(rf"^[ \t]*(?:import|from)[ \t]+[^\n]*(?:{'|'.join(_FILES)})", re.MULTILINE)
"""What stands in modules that may have the names of keywords from files."""


def has_workers_by_default(made: BoundaryCall, linker: Linker) -> bool:
    """Whether the number of workers is the positive default of a parameter that no code gives another value."""
    bound = made.arguments.get(made.spec.workers or "")
    if bound is None or bound.expr is None or bound.frame is None:
        return False
    found = _parameter(bound.expr, bound.frame, linker)
    if found is None:
        return False
    name, frame, instance = found
    default = next((each.default for each in frame.function.parameters if each.name == name), None)
    call, caller = instance.call, instance.frame
    if default is None or call is None or caller is None or name in frame.bindings:
        return False
    values = [each.value for each in linker.evaluate(default, frame)]
    is_positive = all(isinstance(each, ConstantValue) and isinstance(each.value, int) and each.value for each in values)
    is_hidden = any(each.star == "**" for each in call.arguments) and all(each.star != "*" for each in call.arguments)
    if not values or not is_positive or not is_hidden:
        return False
    if linker.first_party.is_anywhere(Words(set(_FILES)), frame.module.path, _READS_FILES):
        return False
    return not _is_named(name, frame.function, frame.module, linker)


def _parameter(count: Expr, frame: Frame, linker: Linker) -> tuple[str, Frame, InstanceValue] | None:
    """The parameter of a constructor that an attribute of the method's own object keeps, if nothing else is stored
    there; with the constructor's frame, and the object."""
    inner = without_narrowing(count)
    if not isinstance(inner, Attribute) or not isinstance(inner.base, Parameter):
        return None
    owner = frame.bindings.get(inner.base.name)
    instance = owner.value if owner is not None else None
    if not isinstance(instance, InstanceValue):
        return None
    stores = list(stores_of(linker.classes.mro(instance), inner.name))
    held = [each for each in linker.classes.states.state(instance) if each.attribute == inner.name]
    if len(held) != 1 or len(stores) != 1 or not held[0].direct or stores[0][0].name != _CONSTRUCTOR:
        return None
    kept = without_narrowing(held[0].value)
    return (kept.name, held[0].frame, instance) if isinstance(kept, Parameter) else None


def _is_named(name: str, constructor: FunctionFacts, home: Module, linker: Linker) -> bool:
    """Whether code of the program gives something under that name, or asks the user for it."""
    form = re.compile(rf"(?<![.\w]){name}\s*=(?!=)|['\"]{name}['\"]|--{name.replace('_', '[-_]')}\b")
    found = node_of(home, constructor)
    if found is None:
        return True
    source, node = found
    body = source.span(node.body[0]).start
    for module in linker.first_party.naming_in_text(Words({name, name.rpartition("_")[2]}), home.path, form):
        for match in form.finditer(module.code):
            if module is not home or not constructor.span.start <= match.start() < body:
                return True
    return False
