"""What the classes in the hierarchy of an instance have, as its pickling hooks ask for it class by class."""

from __future__ import annotations

from lintpickle.facts.records import ClassFacts
from lintpickle.facts.values import Expr, ending_name, uncalled
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.interpreter.hook_values import NOT_KNOWN, HookValue, OneClass, Parts
from lintpickle.interpreter.plain_bases import BARE_BASES
from lintpickle.interpreter.protocols import Ancestor, ClassQueries

_DATACLASS = frozenset({"dataclass", "define", "frozen", "total_ordering"})
"""Decorators that add no attribute of which a hook could ask."""


class HookClasses:
    """The classes of an instance. What their bodies give is `Expr`, for the caller to evaluate."""

    def __init__(self, classes: ClassQueries, instance: InstanceValue) -> None:
        self._classes = classes
        self.own = OneClass(instance.class_)
        """The class of the instance itself."""

    def line(self) -> Parts:
        """What `type(self).__mro__` gives."""
        return Parts(tuple(map(OneClass, self._classes.mro(self.own.ancestor))))

    def stored(self, asked: OneClass, name: str) -> tuple[Expr, ClassValue] | HookValue | None:
        """What a class, or its `__dict__`, has under a name, and which class has it; None if it has nothing."""
        for each in (asked.ancestor,) if asked.is_dict else self._classes.mro(asked.ancestor):
            found = _in_body(each, name)
            if found is not None:
                return (found, each) if isinstance(found, Expr) and isinstance(each, ClassValue) else NOT_KNOWN
        return None


def _in_body(ancestor: Ancestor, name: str) -> Expr | HookValue | None:
    if not isinstance(ancestor, ClassValue):
        return None if ancestor.path in BARE_BASES else NOT_KNOWN
    facts = ancestor.facts
    written = next((each.default for each in facts.fields if each.name == name), None)
    found = facts.body.get(name, written)
    if found is None and (name in facts.methods or _may_have_more(facts)):
        return NOT_KNOWN
    return found


def _may_have_more(facts: ClassFacts) -> bool:
    """Whether a decorator of a class may give it attributes."""
    return any(ending_name(uncalled(each)) not in _DATACLASS for each in facts.decorators)
