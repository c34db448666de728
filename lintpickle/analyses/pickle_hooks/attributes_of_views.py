"""Attributes that code gives arrays of a class from outside: `array = values.view(Quantity); array.unit = unit`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.hierarchies import stores_of
from lintpickle.analyses.calls_and_values.written_elsewhere import stands_outside
from lintpickle.analyses.pickle_hooks.array_finalizing import FINALIZING
from lintpickle.facts.records import Store
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue, Site
from lintpickle.interpreter.method_calls import ARRAYS
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module


def are_of_numpy(bases: tuple[str, ...]) -> bool:
    """Whether the library classes of a hierarchy are one class of arrays."""
    return len(bases) == 1 and ARRAYS.issuperset(bases)


def given_to_views(class_: ClassValue, linker: Linker) -> Iterator[tuple[Store, Module]]:
    """Where functions give an attribute to what `view` makes an array of the class."""
    name, asker = class_.facts.name, class_.module.path
    form = re.compile(rf"\.view\(\s*(?:type\s*=\s*)?(?:cls|(?:\w+\.)*{re.escape(name)})\s*\)")
    for root in linker.activations_with({name}, form, asker):
        for event in root.function.events:
            if isinstance(event, Store):
                values = (each.value for each in linker.evaluate(event.target, root.frame))
                if any(isinstance(each, InstanceValue) and each.class_.facts is class_.facts for each in values):
                    yield event, root.frame.module


def is_given_elsewhere(attribute: str, class_: ClassValue, linker: Linker) -> bool:
    """Whether code of the program gives any object an attribute of that name but by `__array_finalize__`."""
    line = linker.classes.mro(class_)
    storing = [(owner, method) for owner in line for method, _ in stores_of((owner,), attribute)]
    if any(method.name != FINALIZING for _, method in storing):
        return True
    finalizing = [Site(owner.module, method.span) for owner, method in storing if isinstance(owner, ClassValue)]
    stored = re.compile(rf"\.\s*{re.escape(attribute)}\s*(?:[-+*/|]|//|\*\*)?=(?!=)|[\"']{re.escape(attribute)}[\"']")
    return stands_outside(finalizing, stored, attribute, class_.module.path, linker)
