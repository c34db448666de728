"""Names of modules that stand for a method of an object: `remember = _places.__setitem__`. For `migrate`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.facts.values import Attribute, Call, Expr, chain
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module


class MethodAlias(Struct, frozen=True):
    """A name that a module gives a method of an object."""

    name: str
    module: Module
    method: str


def method_aliases(owner: Owner, linker: Linker) -> tuple[MethodAlias, ...]:
    """The names that modules give methods of an object."""
    if linker.moving_to is None:
        return ()
    question = ("methods named", owner.module.path, owner.block.span, owner.name)
    return linker.remembered(question, lambda: tuple(_find(owner, linker)))


def method_called(call: Call, owner: Owner, module: Module, linker: Linker) -> str | None:
    """The method of an object that a call in a module runs by such a name."""
    aliases = method_aliases(owner, linker)
    called = chain(call.function) if aliases else None
    named = [each for each in aliases if called is not None and called[-1] == _name_at_home(called, each, module)]
    if called is None or not named:
        return None
    homes = [home for home, _ in linker.own_places.of_name(module, ".".join(called))]
    return next((each.method for each in named if any(home is each.module for home in homes)), None)


def _name_at_home(called: tuple[str, ...], alias: MethodAlias, module: Module) -> str:
    """The name by which a module calls an alias, which it may have imported under another one."""
    imported = module.outline.imports.get(called[0]) if len(called) == 1 else None
    return called[0] if imported is not None and imported.name == alias.name else alias.name


def _find(owner: Owner, linker: Linker) -> Iterator[MethodAlias]:
    form = re.compile(
        rf"^(\w+)[ \t]*(?::[^=\n]+)?=[ \t]*(?:\w+\.)*{re.escape(owner.name)}\.\w+[ \t]*(?=[\r\n#]|$)", re.M
    )
    for module in linker.first_party.naming_in_text(Words({owner.name}), owner.module.path, form):
        for found in form.finditer(module.code):
            for block in module.blocks_binding(found[1]):
                method = _method_of(block.values.get(found[1]), owner, module, linker)
                if method is not None:
                    yield MethodAlias(found[1], module, method)


def _method_of(value: Expr | None, owner: Owner, module: Module, linker: Linker) -> str | None:
    parts = chain(value) if isinstance(value, Attribute) else None
    if parts is None:
        return None
    places = linker.own_places.of_name(module, ".".join(parts[:-1]))
    return parts[-1] if any(home is owner.module and block is owner.block for home, block in places) else None
