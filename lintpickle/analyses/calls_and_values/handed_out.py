"""Functions that hand out a module-level object, or a part of it: `def current(): return _values`, and context managers
that give it to the name behind `as`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.hierarchies import is_me
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.facts.contexts import MANAGER_DECORATORS
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import (
    Attribute,
    Call,
    Expr,
    Parameter,
    chain,
    rooted,
    whole_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_NAMED_BY_WITH = re.compile(r"\s+as\s+\w")
"""What stands behind the manager of a context that gives a name something."""
_ENTERING = ("__enter__", "__aenter__")
Within: TypeAlias = "Callable[[Expr], tuple[str, ...] | None]"
"""What of an object an expression is: as `object_changes.path_within`."""


class _Handing(Struct, frozen=True):
    """A function of a module, or a class, by its name, that hands out an object; `is_entered` says that it is the
    manager of a context, which gives the object as this is entered."""

    name: str
    module: Module
    is_entered: bool


def handing_out(owner: Owner, linker: Linker) -> tuple[str, ...]:
    """The names of the functions that return nothing but the object, or what it has under a key (`return
    _chains[name]`), and of the managers of contexts that give it. For `migrate`."""
    return tuple(dict.fromkeys(each.name for each in _handing(owner, linker)))


def _handing(owner: Owner, linker: Linker) -> tuple[_Handing, ...]:
    if linker.moving_to is None:
        return ()
    question = ("functions handing out", owner.module.path, owner.name)
    return linker.remembered(question, lambda: tuple(dict.fromkeys(_find(owner, linker))))


def _find(owner: Owner, linker: Linker) -> Iterator[_Handing]:
    form = re.compile(rf"\b(?:return|yield)\s+(?:\w+\.)*{re.escape(owner.name)}\b")
    for module in linker.first_party.naming_in_text(Words({owner.name}), owner.module.path, form):
        for facts in functions_of(module, form, lambda facts: bool(facts.returns or facts.yields)):
            given = facts.yields or facts.returns
            if not all(_is_it(each, owner, module, linker) for each in given):
                continue
            is_plain = facts.qualname == facts.name and not facts.decorators and not facts.is_generator
            if is_plain or (facts.yields and facts.qualname == facts.name and facts.decorated_by(*MANAGER_DECORATORS)):
                yield _Handing(facts.name, module, bool(facts.yields))
            elif facts.name in _ENTERING and facts.qualname.count(".") == 1 and not facts.yields:
                yield _Handing(facts.qualname.partition(".")[0], module, True)


def _is_it(value: Expr, owner: Owner, module: Module, linker: Linker) -> bool:
    parts = chain(whole_of(value))
    if parts is None or parts[-1] != owner.name or len(parts) > 2 or isinstance(whole_of(value), Parameter):
        return False
    places = linker.own_places.of_name(module, ".".join(parts))
    return any(home is owner.module and block is owner.block for home, block in places)


def handed_out(target: Expr, owner: Owner, module: Module, linker: Linker, within: Within) -> tuple[str, ...] | None:
    """What of an object an expression is that begins with a call of a function that hands it out, or with the name that
    a context gives it: as `within` says it of others."""
    root, names = rooted(target)
    if not isinstance(root, Call) or linker.moving_to is None:
        return None
    called = chain(root.function)
    is_entered = _NAMED_BY_WITH.match(module.code, root.span.end) is not None
    if called is not None and called[-1] in handing_out(owner, linker):
        places = linker.own_places.of_name(module, ".".join(called))
        for each in _handing(owner, linker):
            is_meant = each.name == called[-1] and each.is_entered == is_entered
            if is_meant and any(home is each.module for home, _ in places):
                return names
    rest = _given_back(root, owner, module, linker, within) if is_entered else None
    return (*rest, *names) if rest is not None else None


def _given_back(call: Call, owner: Owner, module: Module, linker: Linker, within: Within) -> tuple[str, ...] | None:
    """The same for the manager of a context that is a method of the object (`with options.editing() as options`), or is
    given it (`with edited(OPTIONS) as options`), and gives it back."""
    function = without_narrowing(call.function)
    if isinstance(function, Attribute) and isinstance(owner.value, InstanceValue):
        method = linker.classes.find_method(owner.value, function.name)
        is_own = method is not None and bool(method[1].yields) and method[1].decorated_by(*MANAGER_DECORATORS)
        if method is not None and is_own and all(is_me(each, method[1]) for each in method[1].yields):
            return within(function.base)
    parts = chain(function)
    for home, block in linker.own_places.of_name(module, ".".join(parts)) if parts is not None else ():
        block_facts = home.facts_of(block)
        facts = block_facts.functions.get(parts[-1] if parts is not None else "") if block_facts is not None else None
        place = _parameter_given_back(facts) if facts is not None else None
        given = call.argument(facts.parameters[place].name, place) if facts is not None and place is not None else None
        if given is not None:
            return within(given)
    return None


def _parameter_given_back(facts: FunctionFacts) -> int | None:
    """The place of the parameter that the manager of a context gives to the name behind `as`, and nothing else."""
    if not facts.yields or not facts.decorated_by(*MANAGER_DECORATORS):
        return None
    names = {each.name if isinstance(each := without_narrowing(value), Parameter) else "" for value in facts.yields}
    found = [place for place, each in enumerate(facts.parameters) if names == {each.name}]
    return found[0] if found else None
