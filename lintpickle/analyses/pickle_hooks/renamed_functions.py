"""Local functions to which code gives another name after it has made them: `made.__qualname__ = "step"`."""

from __future__ import annotations

import re

from msgspec import Struct

from lintpickle.interpreter.abstract_values import FunctionValue, Site
from lintpickle.parsing.assigned import variable_of
from lintpickle.parsing.outline import Block
from lintpickle.payload.crossings import Crossing
from lintpickle.program.module import Module

_RENAMED = re.compile(
    r"(?<![\w.])(?P<stored>\w+)\.__qualname__[ \t]*=(?!=)[ \t]*(?P<stored_name>.+)"
    r"|(?<![\w.])setattr\([ \t]*(?P<set>\w+),[ \t]*['\"]__qualname__['\"],[ \t]*(?P<set_name>.+)\)"
)
_NAME_OF_ANOTHER = re.compile(r"[\w.]+\.__(?:qual)?name__")
_TEXT = re.compile(r"(['\"])(\w+)\1")
_MAY_BIND = re.compile(r"\bglobal\s|\bglobals\(\)|\bsetattr\(|\bsys\.modules\b")


class _Renaming(Struct, frozen=True):
    """Where code gives what a variable holds another name: the block of it, and what it gives, as written."""

    block: Block | None
    given: str


def has_name_of_its_own(crossing: Crossing) -> bool:
    """Whether code gives a function that crosses, on its way, the `__qualname__` of a variable of the module that may
    hold it. (A name that is taken from another function leads to that one.)"""
    if not isinstance(crossing.value, FunctionValue):
        return False
    home = crossing.value.module
    sites = dict.fromkeys((crossing.site, *(hop.site for hop in crossing.hops)))
    if not any(each.module.has(_RENAMED) for each in sites):
        return False
    written = dict.fromkeys(each.module.code[each.span.start : each.span.end] for each in sites)
    texts = [found[2] for text in written if "(" in text for found in _TEXT.finditer(text)]
    return any(
        _may_lead_to_it(renaming, texts, sites, home)
        for site in sites
        for renaming in _renamings(site, crossing.value.facts.name)
    )


def _renamings(site: Site, name: str) -> list[_Renaming]:
    """The places around a site that give another name to the variable that is bound there, or to a local function."""
    module = site.module
    if not module.has(_RENAMED):
        return []
    around = module.outline.block_at(site.span.start)
    variable = variable_of(module.code, site.span)
    found: list[_Renaming] = []
    for match in _RENAMED.finditer(module.code):
        block = module.outline.block_at(match.start())
        is_beside = block == around or (_is_statement(block) and _is_statement(around))
        if is_beside and (match["stored"] or match["set"]) in (variable, name):
            given = match["stored_name"] or match["set_name"]
            found.append(_Renaming(block, given.partition("#")[0].rpartition(" = ")[2].strip()))
    return found


def _is_statement(block: Block | None) -> bool:
    return block is None or not (block.is_class or block.defines_function)


def _may_lead_to_it(renaming: _Renaming, texts: list[str], sites: dict[Site, None], home: Module) -> bool:
    """Whether the name that a renaming gives may lead to what it renames, `texts` being what calls on the way give."""
    if _NAME_OF_ANOTHER.fullmatch(renaming.given):
        return False
    literal = _TEXT.fullmatch(renaming.given)
    names = [literal[2]] if literal is not None else texts
    if not names:
        return True
    block = renaming.block
    if block is not None and _MAY_BIND.search(home.code, block.span.start, block.span.end) is not None:
        return True
    bound = [each for name in names for each in home.outline.binding(name)]
    return any(each.span.start <= site.span.start < each.span.end for each in bound for site in sites)
