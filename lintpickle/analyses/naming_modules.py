"""Which modules know what another one defines: by its name, or by that of a package which passes it on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.facts.records import FunctionFacts
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
