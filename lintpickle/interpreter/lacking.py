"""Attributes that objects surely lack: those of dataclasses, and special methods of all others."""

from __future__ import annotations

from lintpickle.facts.records import Store
from lintpickle.facts.values import UNNAMED, chain
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.interpreter.fields import field_names
from lintpickle.interpreter.plain_bases import BARE_BASES
from lintpickle.interpreter.protocols import Interpreter

_OF_TORCH = frozenset(
    {f"torch.utils.data.{name}" for name in ("Dataset", "dataset.Dataset", "Sampler", "sampler.Sampler")}
)
_HAD = frozenset(
    {"__add__", "__getitem__", "__iter__", "__orig_bases__", "__parameters__", "__class_getitem__", "__slots__"}
    | {"__weakref__", "__annotations__", "__orig_class__", "__abstractmethods__", "__match_args__"}
    | {"__static_attributes__", "__firstlineno__", "__dataclass_params__"}
)
"""All special attributes of these classes of torch that not every object has (measured with torch 2.13), and what
Python itself gives some classes."""
_LOOKUPS = ("__getattr__", "__getattribute__", "__new__")


def lacks(instance: InstanceValue, name: str, evaluator: Interpreter) -> bool:
    """Whether an object has no attribute of a name: the call that makes it is seen, its class is a dataclass without
    such a field, and neither its methods nor the code that makes it stores one."""
    call, frame, classes = instance.call, instance.frame, evaluator.classes
    fields = field_names(instance, classes) if call is not None else None
    if call is None or frame is None or fields is None or name in fields:
        return False
    line = classes.mro(instance)
    if not all(isinstance(each, ClassValue) or each.path in BARE_BASES for each in line):
        return False
    if any(_may_have(name, each) for each in line if isinstance(each, ClassValue)):
        return False
    outside = (*evaluator.stores.on(call, frame), *instance.later)
    return not instance.done and not any(_is_stored(name, stored.event) for stored in outside)


def lacks_special(instance: InstanceValue, name: str, evaluator: Interpreter) -> bool:
    """Whether no class that an object derives from has a special method, as `__getitems__`, or gives it to its
    objects."""
    if not (name.startswith("__") and name.endswith("__")) or name in _HAD or hasattr(object, name):
        return False
    line = evaluator.classes.mro(instance)
    is_read = bool(line) and all(isinstance(each, ClassValue) or each.path in BARE_BASES | _OF_TORCH for each in line)
    return is_read and not any(_may_have(name, each) for each in line if isinstance(each, ClassValue))


def _may_have(name: str, class_: ClassValue) -> bool:
    """Whether a class has an attribute of the name itself, or may give its objects one."""
    facts = class_.facts
    is_plain = all((chain(each) or ("dataclass",))[-1] == "dataclass" for each in facts.decorators)
    if not is_plain or facts.keywords or name in facts.body or any(each in facts.methods for each in (*_LOOKUPS, name)):
        return True
    return any(_is_stored(name, event) for method in facts.methods.values() for event in method.events)


def _is_stored(name: str, event: object) -> bool:
    return isinstance(event, Store) and event.attribute in (name, UNNAMED)
