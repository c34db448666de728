"""Pickling hooks: which attributes `__getstate__` and `__reduce__` let through."""

from __future__ import annotations

from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.interpreter.hook_names import HookNames
from lintpickle.interpreter.hook_runs import Fate, fate

_HOOK = "__getstate__"


class Shipped:
    """What becomes of the attributes of an instance in its pickle, by their names in its `__dict__` (`mangled`)."""

    def __init__(self, instance: InstanceValue, evaluator: Evaluator) -> None:
        """A hook that cannot be understood is taken to do its job: it lets nothing through that is a hazard."""
        classes = evaluator.classes
        is_reduced = any(classes.defines(instance, hook) for hook in ("__reduce__", "__reduce_ex__"))
        self._names = HookNames(evaluator, instance)
        self._hook = self._names.method(_HOOK)
        self._without_hook = Fate.KEPT
        if is_reduced or id(instance.class_.facts) in classes.registered:
            self._hook, self._without_hook = None, Fate.REPLACED
        elif self._hook is None and classes.defines(instance, _HOOK):
            self._without_hook = Fate.REPLACED
        self._known: dict[str, Fate] = {}

    def __contains__(self, attribute: str) -> bool:
        return self.fate(attribute) is Fate.KEPT

    def fate(self, attribute: str) -> Fate:
        """What becomes of an attribute."""
        if self._hook is None:
            return self._without_hook
        if attribute not in self._known:
            self._known[attribute] = fate(self._hook, self._names, attribute)
        return self._known[attribute]
