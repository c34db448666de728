"""What `__array_finalize__` gives every array of a subclass of `numpy.ndarray`, also one that is made of no other one.

Measured with NumPy 2.4: unpickling makes an array by `_reconstruct`, which calls the method with None."""

from __future__ import annotations

from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.control_flow.paths import Paths
from lintpickle.facts.records import Store
from lintpickle.facts.values import Call, Expr, Name, mentions_object
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.linker import Linker

FINALIZING = "__array_finalize__"
_ITSELF_AND_SOURCE, _WITH_DEFAULT = 2, 3
"""How many parameters the method has, and how many arguments `getattr` with a default."""


def is_set_in_any_array(attribute: str, class_: ClassValue, linker: Linker) -> bool:
    """Whether the method surely stores an attribute on an array that is made of no other one: without asking what it is
    made of, and without reading that but with a default."""
    found = linker.classes.find_method(class_, FINALIZING)
    if found is None or len(found[1].parameters) != _ITSELF_AND_SOURCE:
        return False
    owner, method = found
    source = method.parameters[1].name
    paths = Paths(owner.module, method.span)
    return any(
        isinstance(event, Store)
        and event.attribute == attribute
        and is_me(event.target, method)
        and _needs_no_source(event.value, source, linker)
        and paths.is_followed_by(method.header.start, event.span.start)
        for event in method.events
    )


def _needs_no_source(value: Expr, source: str, linker: Linker) -> bool:
    match value:
        case Call(function=Name(name="getattr"), arguments=arguments) if len(arguments) == _WITH_DEFAULT:
            return True
        case _:
            return not mentions_object(value, source, linker.evaluator.cuts.note)
