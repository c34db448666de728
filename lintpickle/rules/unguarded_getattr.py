from __future__ import annotations

from collections.abc import Iterable
from types import NoneType

from msgspec import Struct

from lintpickle.analyses.empty_lookup import FailingLookup, failing_lookup
from lintpickle.analyses.hierarchies import REDUCERS, defines, plain_ancestors, stores_of
from lintpickle.analyses.made_by_new import leave_out
from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    Call,
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
    Site,
    guard_lookup,
    is_special_name,
)


class _Method(Struct, frozen=True):
    """A `__getattr__` that fails: the code of its file, and where it reads the missing attribute."""

    code: str
    facts: FunctionFacts
    failure: FailingLookup
    has_slots: bool
    """Whether the object may have no `__dict__`."""


class UnguardedGetattr(Rule[_Method]):
    """A `__getattr__` that reads an attribute which does not exist yet when the object is unpickled or copied."""

    code = "LP601"
    name = "unguarded-getattr"
    value_types = (InstanceValue,)
    applicability = Applicability.SAFE
    message = "`{class_}.__getattr__` reads `{attribute}`, which an object lacks while it is unpickled: {error}"
    help = "raise AttributeError while the attribute is not in `self.__dict__`, or for names with a leading underscore"
    marks = frozenset()
    of_results = True
    words = frozenset({"__getattr__"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[_Method]]:
        if isinstance(crossing.value, InstanceValue):
            found = linker.classes.find_method(crossing.value, "__getattr__")
            if found is not None:
                yield from _judged(found[0], linker, crossing.value.class_)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[_Method]]:
        if "__getattr__" in class_.facts.methods:
            yield from seldom_sent(_judged(class_, linker, class_), class_, linker)

    def fix(self, hazard: Hazard[_Method]) -> Fix | None:
        """Raise AttributeError before the statement that reads the attribute, while it does not exist."""
        method, place = hazard.subject, hazard.subject.failure.statement
        if method.has_slots or place is None:
            return None
        me, name = (each.name for each in method.facts.parameters[:2])
        edit = guard_lookup(method.code, place, method.failure.attribute, me, name)
        if edit is None:
            return None
        return Fix("Raise AttributeError while the attribute does not exist", Applicability.SAFE, (edit,))


def _judged(owner: ClassValue, linker: Linker, made: ClassValue) -> Iterable[Hazard[_Method]]:
    """The hazard of the `__getattr__` of `owner`, for instances of `made`."""
    line = plain_ancestors(made, linker.classes)
    if line is None or defines(line, *REDUCERS, "__setstate__", "__getattribute__"):
        return
    method = owner.facts.methods["__getattr__"]
    if method.is_generator:
        return
    failure = failing_lookup(owner.module, method, lambda name: _is_missing(name, line))
    if failure is not None:
        if not any(True for _ in stores_of(line, failure.attribute)) and not _is_field(failure.attribute, line):
            return
        if not leave_out(failure.attribute, line):
            return
        yield Hazard(
            site=Site(owner.module, method.header),
            noun=f"it asks for `{failure.attribute}`",
            error=failure.error,
            data={"class_": owner.facts.name, "attribute": failure.attribute},
            subject=_Method(owner.module.code, method, failure, defines(line, "__slots__")),
        )


def _is_missing(name: str, line: tuple[ClassValue, ...]) -> bool:
    """Whether the class defines no attribute of that name, so that only the object's state can hold it."""
    if is_special_name(name):
        return name == "__setstate__"
    return not any(
        name in each.facts.methods or name in each.facts.body or name in _with_default(each) for each in line
    )


def _with_default(class_: ClassValue) -> list[str]:
    """The fields of a dataclass whose defaults are written out: these are attributes of the class, too."""
    given = ((field.name, field.default) for field in class_.facts.fields)
    return [name for name, default in given if default is not None and not isinstance(default, Call)]


def _is_field(name: str, line: tuple[ClassValue, ...]) -> bool:
    fields = (field for each in line for field in each.facts.fields)
    return any(field.name == name and isinstance(field.default, (Call, NoneType)) for field in fields)
