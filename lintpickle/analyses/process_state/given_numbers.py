"""What tells a worker from the others: a parameter of a function of theirs, or an attribute that an object keeps of
what its constructor is given (`self.rank`)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Parameter, parameter_name, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction

_MAKING = ("__init__", "__post_init__")


def names_what_it_is_given(value: ast.expr, function: WorkerFunction, linker: Linker) -> bool:
    """Whether an expression names something that the function of a worker is given, or its object was."""
    facts = function.facts
    me = facts.parameters[0].name if facts.parameters and "." in facts.qualname else None
    given = {each.name for each in facts.parameters} - {me}
    kept: frozenset[str] | None = None
    for node in within(value):
        match node:
            case ast.Name(id=name) if name in given:
                return True
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == me:
                kept = frozenset(_kept(function, linker)) if kept is None else kept
                if attribute in kept:
                    return True
            case _:
                pass
    return False


def _kept(function: WorkerFunction, linker: Linker) -> Iterator[str]:
    """The attributes of the object of a method that hold what its constructor was given."""
    me = function.frame.bindings.get(function.facts.parameters[0].name)
    if me is None or not isinstance(me.value, InstanceValue):
        return
    for class_ in linker.classes.mro(me.value):
        if isinstance(class_, ClassValue):
            yield from (each.name for each in class_.facts.fields if each.default is None)
            for name in _MAKING:
                if (method := class_.facts.methods.get(name)) is not None:
                    yield from _kept_by(method)


def _kept_by(method: FunctionFacts) -> Iterator[str]:
    me = method.parameters[0].name if method.parameters else None
    for event in method.events:
        match event:
            case Store(target=target, attribute=attribute, value=value) if parameter_name(target) == me:
                if isinstance(without_narrowing(value), Parameter):
                    yield attribute
            case _:
                pass
