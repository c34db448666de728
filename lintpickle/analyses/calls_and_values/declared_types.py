"""The types that classes declare for the attributes of what crosses: `rate: Decimal` in the body of a dataclass, and
`self.rate = Decimal(text)` in what makes the object."""

from __future__ import annotations

import re
from collections.abc import Collection

from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.process_state.setting_paths import imported_path
from lintpickle.facts.values import Call, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_DECLARED = r"^[ \t]+(?P<name>{names})[ \t]*:[ \t]*[\"']?(?P<type>[^\W\d]\w*(?:\.\w+)*)[\"']?[ \t]*(?:=|\||#|$)"


def types_of_attributes(names: Collection[str], code: WorkerCode, linker: Linker) -> dict[str, set[str]]:
    """The paths of the types of attributes of some names, of the objects that cross to workers."""
    found: dict[str, set[str]] = {}
    seen: set[int] = set()
    for crossing in linker.shipped_by(code.boundary) if code.boundary is not None and names else ():
        match crossing.value:
            case InstanceValue(class_=class_) as instance if id(class_.facts) not in seen:
                seen.add(id(class_.facts))
                for each in linker.classes.mro(class_):
                    if isinstance(each, ClassValue) and each.module.first_party:
                        _add_declared(names, each, found)
                _add_made(names, instance, found, linker)
            case _:
                pass
    return found


def _add_declared(names: Collection[str], class_: ClassValue, found: dict[str, set[str]]) -> None:
    span = class_.facts.span
    form = re.compile(_DECLARED.format(names="|".join(map(re.escape, sorted(names)))), re.MULTILINE)
    for declared in form.finditer(class_.module.code, class_.facts.header.end, span.end):
        path = imported_path(tuple(declared["type"].split(".")), class_.module)
        if path is not None:
            found.setdefault(declared["name"], set()).add(path)


def _add_made(names: Collection[str], instance: InstanceValue, found: dict[str, set[str]], linker: Linker) -> None:
    for held in linker.classes.states.state(instance):
        value = without_narrowing(held.value)
        if held.attribute in names and isinstance(value, Call):
            found.setdefault(held.attribute, set()).update(external_names(value.function, held.frame, linker))
