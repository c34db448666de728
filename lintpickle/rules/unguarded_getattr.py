from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import (
    REDUCERS,
    ancestors_rebuilt_as_objects,
    defines,
    external_bases,
    stores_of,
)
from lintpickle.analyses.pickle_hooks.absent_attributes import class_texts, has_state, is_field, is_missing
from lintpickle.analyses.pickle_hooks.failing_lookups import FailingLookup, failing_lookup
from lintpickle.analyses.pickle_hooks.made_by_new import leave_out
from lintpickle.analyses.pickle_hooks.mapping_attributes import asks_its_items
from lintpickle.diagnostics import Applicability, Fix
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import (
    ClassValue,
    Crossing,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Rule,
    Site,
    guard_lookup,
    mangled,
)

_HOOKS = ("__getattr__", "__getattribute__")


class _Method(Struct, frozen=True):
    """A `__getattr__` that fails: its class, and where it reads the missing attribute."""

    owner: ClassValue
    facts: FunctionFacts
    failure: FailingLookup
    has_slots: bool
    """Whether the object may have no `__dict__`."""


_GENERATOR = FailingLookup("__setstate__", "TypeError: 'generator' object is not callable", None)
"""What a method that yields gives to unpickling."""
_COPYING = "copy.deepcopy"
_ASKED = "raises KeyError for a name that is no key, and `copy.deepcopy` asks the object for `__deepcopy__`"
_ITEM = "raise AttributeError where the key is missing: `except KeyError: raise AttributeError(name) from None`"
_YIELDS = "yields, so that it gives a generator for every name, `__setstate__` too, which unpickling looks up and calls"
_RETURN = "return what the name stands for, and raise AttributeError for others: a method that yields raises nothing"


class UnguardedGetattr(Rule[_Method]):
    """A `__getattr__` that reads an attribute which does not exist yet when the object is unpickled or copied.

    Or one that yields, and so gives a generator for whatever name is looked up.
    """

    code = "LP601"
    name = "unguarded-getattr"
    value_types = (InstanceValue,)
    applicability = Applicability.SAFE
    message = "`{class_}.{hook}` {fault}: {error}"
    help = "raise AttributeError while the attribute is not in `self.__dict__`, or for names with a leading underscore"
    marks = frozenset()
    of_results = True
    words = frozenset({"__getattr__", "__getattribute__"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[_Method]]:
        if isinstance(crossing.value, InstanceValue):
            for hook in _HOOKS:
                found = linker.classes.find_method(crossing.value, hook)
                if found is not None:
                    yield from _judged(found[0], hook, linker, crossing.value.class_)
            if crossing.root.spec is not None and crossing.root.spec.path == _COPYING:
                yield from _copied(crossing.value.class_, linker)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[_Method]]:
        for hook in _HOOKS:
            if hook in class_.facts.methods:
                yield from seldom_sent(_judged(class_, hook, linker, class_), class_, linker)

    def fix(self, hazard: Hazard[_Method]) -> Fix | None:
        """Raise AttributeError before the statement that reads the attribute, while it does not exist."""
        if hazard.subject is None:
            return None
        method, place = hazard.subject, hazard.subject.failure.statement
        if method.has_slots or place is None or method.facts.name != "__getattr__":
            return None
        me, name = (each.name for each in method.facts.parameters[:2])
        attribute = mangled(method.failure.attribute, method.owner.facts.name)
        edit = guard_lookup(method.owner.module.code, place, attribute, me, name)
        if edit is None:
            return None
        return Fix("Raise AttributeError while the attribute does not exist", Applicability.SAFE, (edit,))


def _judged(owner: ClassValue, hook: str, linker: Linker, made: ClassValue) -> Iterable[Hazard[_Method]]:
    """The hazard of a hook of `owner`, for instances of `made`."""
    line = ancestors_rebuilt_as_objects(made, linker.classes)
    if line is None or defines(line, *REDUCERS, "__setstate__", *(each for each in _HOOKS if each != hook)):
        return
    method = owner.facts.methods[hook]
    if method.is_generator:
        if has_state(line):
            yield _hazard(owner, hook, _GENERATOR, line)
        return
    bases = external_bases(linker.classes.mro(made))
    find = partial(linker.classes.find_method, made)
    failure = failing_lookup(owner.module, method, lambda name: is_missing(name, line, bases), find, class_texts(line))
    if failure is not None:
        if not any(True for _ in stores_of(line, failure.attribute)) and not is_field(failure.attribute, line):
            return
        if not leave_out(failure.attribute, line):
            return
        yield _hazard(owner, hook, failure, line)


def _copied(class_: ClassValue, linker: Linker) -> Iterable[Hazard[_Method]]:
    """The hazard of a mapping whose items are attributes, where it is copied."""
    site = asks_its_items(linker.classes.mro(class_))
    if site is not None:
        yield Hazard(
            site=site,
            noun="it asks for an item `__deepcopy__`",
            error="KeyError: '__deepcopy__'",
            data={"class_": class_.facts.name, "hook": "__getattr__", "fault": _ASKED},
            help=_ITEM,
        )


def _hazard(owner: ClassValue, hook: str, failure: FailingLookup, line: tuple[ClassValue, ...]) -> Hazard[_Method]:
    method, is_generator = owner.facts.methods[hook], failure is _GENERATOR
    lacking = f"reads `{failure.attribute}`, which an object lacks while it is unpickled"
    return Hazard(
        site=Site(owner.module, method.header),
        noun=f"it asks for `{failure.attribute}`" if not is_generator else f"it answers for `{failure.attribute}`",
        error=failure.error,
        data={"class_": owner.facts.name, "hook": hook, "fault": _YIELDS if is_generator else lacking},
        subject=_Method(owner, method, failure, defines(line, "__slots__")),
        help=_RETURN if is_generator else None,
    )
