"""Which modules know what another one defines: by its name, or by that of a package which passes it on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.imported_modules import imported_with, imports_module
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words, standing_alone
from lintpickle.program.module import Module

_BEFORE = re.compile(r"(?<![\w.])(?:[^\W\d]\w*\.)*\Z")
_LONGEST = 200
"""How many characters a dotted name has in front of its last part, at most."""


def imported_by(module: Module) -> re.Pattern[str]:
    """What stands in modules that import this one: its name, or for a package, dots from within."""
    name = standing_alone(module.name.rpartition(".")[2])
    return re.compile(rf"{name.pattern}|\bfrom\s+\.+\s+import\b") if module.file.is_package else name


def modules_naming(name: str, function: FunctionFacts, home: Module, linker: Linker, asker: str) -> Iterator[Module]:
    """The other modules in which the name of a function stands, and that of its module, or one by which they get the
    function or its class from a package (`from shop import Orders`); `asker` is as for `FirstPartyModules.search`."""
    seen = {home.path}
    for module in linker.first_party.naming_in_text(Words({name}), asker, imported_by(home)):
        if module.path not in seen:
            seen.add(module.path)
            yield module
    top = standing_alone(function.qualname.partition(".")[0])
    for module in linker.first_party.naming(Words({name}), asker, top):
        names = _written(top, module) if module.path not in seen else ()
        places = (linker.own_places.of_name(module, each) for each in names)
        if any(found is home for place in places for found, _ in place):
            yield module


def are_linked(one: Module, other: Module, linker: Linker) -> bool:
    """Whether one of two modules imports the other, in a function of its own too, or by way of others: else they are
    parts of different programs, and what both have by one name are two things."""
    if one is other or other in imported_with([one], linker) or one in imported_with([other], linker):
        return True
    return imports_module(one, other, linker.program) or imports_module(other, one, linker.program)


def has_another(function: FunctionFacts, home: Module, module: Module) -> bool:
    """Whether a module has a function of its own by the name of one of another module: scripts have their `run()`."""
    if module is home or function.qualname != function.name:
        return False
    return any(each.defines_function for each in module.outline.binding(function.name))


def may_mean(function: FunctionFacts, home: Module, module: Module, linker: Linker) -> bool:
    """Whether a module in which the name of a function stands may mean that one: the two are linked by imports, and the
    module does not only have one of its own by that name."""
    if has_another(function, home, module) and f".{function.name}" not in module.code:
        return False
    return are_linked(module, home, linker)


def _written(name: re.Pattern[str], module: Module) -> tuple[str, ...]:
    """The names, dotted ones too, that end with a name in a module: `shop.Orders`. (The name is looked for first: to
    try whatever might begin a dotted name costs thirty times as much.)"""

    def find() -> tuple[str, ...]:
        found = set[str]()
        for place in name.finditer(module.code):
            before = _BEFORE.search(module.code, max(0, place.start() - _LONGEST), place.start())
            if before is not None:
                found.add(before[0] + place[0])
        return tuple(sorted(found))

    return module.remembered(("names that end with", name.pattern), find)
