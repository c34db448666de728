"""Pickling hooks: which attributes `__getstate__` and `__reduce__` let through."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.values import Collection, Constant
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.fields import is_model
from lintpickle.interpreter.held import OWN_ITEMS
from lintpickle.interpreter.hook_names import HookNames
from lintpickle.interpreter.hook_runs import Fate, fate
from lintpickle.interpreter.made_classes import makes_members
from lintpickle.interpreter.replayed_bases import REPLAYED_BASES
from lintpickle.interpreter.slots import MODULE_KINDS

_HOOK = "__getstate__"
SENDING_HOOKS = (_HOOK, "__reduce__", "__reduce_ex__")
"""The methods by which a class decides what of its objects is sent."""


class Shipped:
    """What becomes of the attributes of an instance in its pickle, by their names in its `__dict__` (`mangled`)."""

    def __init__(self, instance: InstanceValue, evaluator: Evaluator) -> None:
        """A hook that cannot be understood is taken to do its job: it lets nothing through that is a hazard."""
        classes = evaluator.classes
        is_reduced = any(classes.defines(instance, hook) for hook in SENDING_HOOKS[1:])
        self._names = HookNames(evaluator, instance)
        self._hook = self._names.method(_HOOK)
        self._without_hook = Fate.KEPT
        self._is_replayed = not is_reduced and _is_replayed(instance, evaluator)
        sends_otherwise = (
            is_reduced
            or id(instance.class_.facts) in classes.registered
            # What it gives has the fields and the private attributes in dictionaries of their own.
            or (self._hook is not None and is_model(instance, classes))
            # `Enum.__reduce_ex__` sends the value of a member, or its name, and nothing that is stored on it.
            or makes_members(classes.mro(instance.class_))
            or self._is_replayed
        )
        if sends_otherwise:
            self._hook, self._without_hook = None, Fate.REPLACED
        elif self._hook is None and classes.defines(instance, _HOOK):
            self._without_hook = Fate.REPLACED
        self._known: dict[str, Fate] = {}
        self._lost = frozenset(_slots_of_module(instance, evaluator)) if self._hook is None else frozenset()

    def __contains__(self, attribute: str) -> bool:
        return self.fate(attribute) is Fate.KEPT

    def fate(self, attribute: str) -> Fate:
        """What becomes of an attribute."""
        if attribute == OWN_ITEMS and (self._hook is not None or self._is_replayed):
            return Fate.KEPT  # pickle ships items by themselves.
        if self._hook is None:
            return Fate.LEFT_OUT if attribute in self._lost else self._without_hook
        if attribute not in self._known:
            self._known[attribute] = fate(self._hook, self._names, attribute)
        return self._known[attribute]


def _slots_of_module(instance: InstanceValue, evaluator: Evaluator) -> Iterator[str]:
    """The slots of a torch module: `nn.Module.__getstate__` gives what is in `__dict__`, so that pickle loses the rest
    (measured with torch 2.13)."""
    if evaluator.classes.kind(instance) not in MODULE_KINDS:
        return
    for each in evaluator.classes.mro(instance.class_):
        match each.facts.body.get("__slots__") if isinstance(each, ClassValue) else None:
            case Collection(elements=names):
                yield from (str(name.value) for name in names if isinstance(name, Constant))
            case Constant(value=str() as name):
                yield name
            case _:
                pass


def _is_replayed(instance: InstanceValue, evaluator: Evaluator) -> bool:
    """Whether `__reduce__` of a class of the standard library makes an object anew by calling its class."""
    bases = (base.path for base in evaluator.classes.mro(instance.class_) if isinstance(base, ExternalValue))
    return any(evaluator.catalog.own_name(path) in REPLAYED_BASES for path in bases)
