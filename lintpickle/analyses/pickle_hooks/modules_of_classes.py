"""Of which module a class says that it is which a call makes: `type(name, bases, {"__module__": cls.__module__})`.

Measured with CPython 3.11: without that, `type` takes the name of the module whose code calls it."""

from __future__ import annotations

import re

from lintpickle.facts.values import Attribute, Call, Constant, Expr, Mapping, Name, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, FunctionValue, Slot
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_SAYS = "__module__"
_BY_NAME = re.compile(r"\bglobals\(\)|\bsys\.modules\[|__module__\s*=(?!=)|\bsetattr\([^\n]*__module__|__reduce")
"""What may put a class into a module under a name that only running tells, or say otherwise how it is pickled."""


def module_of_class(made: Call, first: Slot, linker: Linker) -> Module | None:
    """The module by whose name pickle writes a class that a call makes; None if that is not known, or something there
    may put the class under its name. `first` is the name of the class."""
    here = first.frame.module
    _, _, given, *_ = (*(made.positional() or ()), None, None, None)
    namespace = without_narrowing(given) if given is not None else None
    is_read = isinstance(namespace, Mapping) or namespace is None
    if here.has(_BY_NAME) or (not is_read and _SAYS in here.code):
        return None
    said = _said(namespace)
    home = _module_named(said, first, linker) if said is not None else here
    return home if home is here or (home is not None and not home.has(_BY_NAME)) else None


def _said(namespace: Expr | None) -> Expr | None:
    for key, value in namespace.items if isinstance(namespace, Mapping) else ():
        if isinstance(key, Constant) and key.value == _SAYS:
            return value
    return None


def _module_named(said: Expr, first: Slot, linker: Linker) -> Module | None:
    match without_narrowing(said):
        case Name(name="__name__"):
            return first.frame.module
        case Attribute(base=base, name=name) if name == _SAYS:
            found = [each.value for each in linker.evaluate(base, first.frame)]
            homes = {each.module.path: each.module for each in found if isinstance(each, (ClassValue, FunctionValue))}
            is_known = len(homes) == 1 and all(isinstance(each, (ClassValue, FunctionValue)) for each in found)
            return next(iter(homes.values())) if is_known else None
        case _:
            return None
