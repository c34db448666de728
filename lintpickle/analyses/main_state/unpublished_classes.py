"""Classes that a function makes by `type(name, bases, {…})`, of which its module surely gets none: then pickle does not
find them, whatever their names are."""

from __future__ import annotations

import re

from lintpickle.facts.values import Call, Collection, Comprehension, Mapping
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Slot
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_DECLARES_GLOBAL = re.compile(r"^[ \t]+global\s", re.MULTILINE)
_SAYS_OTHERWISE = re.compile(r"\b__module__\s*=(?!=)|[\"']__module__[\"']|\bdef __reduce|\bcopyreg\b|\bsys\.modules\b")
"""What may say otherwise of which module a class is or how its objects are pickled, or put it into a module."""
_WORDS_OF_THAT = frozenset({"__module__", "__reduce__", "__reduce_ex__", "copyreg", "modules"})
_PUTS = r"\bsetattr\(\s*(?:\w+\.)*{0}\s*,|\b{0}\.__dict__|\bvars\(\s*(?:\w+\.)*{0}\s*\)|\b{0}\.[A-Z]\w*\s*=(?!=)"
"""How code is written that may put something into a module of such a name."""


def is_never_published(made: Call, first: Slot, linker: Linker) -> bool:
    """Whether a function makes a class by the call `made`, and no name of its module is given what that function, or
    one that calls it, returns, nor can other code of the program be seen to put it there. `first` is its name."""
    function, module = first.frame.function, first.frame.module
    if not module.first_party or function.is_module_body or function.is_local or "." in function.qualname:
        return False
    if module.has(_DECLARES_GLOBAL) or not _has_known_bases(made, first, linker):
        return False
    makers = _makers(function.name, module)
    if any(re.compile(rf"^@.*\b{re.escape(each)}\b", re.MULTILINE).search(module.code) for each in makers):
        return False
    statements = [each for each in module.outline.blocks if not each.is_class and not each.defines_function]
    if not all(_keeps_out(block, makers, module) for block in statements):
        return False
    puts = re.compile(_PUTS.format(re.escape(module.name.rpartition(".")[2]))) if module.name else None
    anywhere = linker.first_party.is_anywhere
    is_put = puts is not None and anywhere(Words({module.name.rpartition(".")[2]}), module.path, puts)
    return not is_put and not anywhere(Words(set(_WORDS_OF_THAT)), module.path, _SAYS_OTHERWISE)


def _has_known_bases(made: Call, first: Slot, linker: Linker) -> bool:
    """Whether all bases are classes of the program, or none that say how their objects are pickled."""
    given = made.positional() or ()
    bases = given[1] if len(given) > 1 else None
    if not isinstance(bases, Collection):
        return False
    for base in bases.elements:
        found = [each.value for each in linker.evaluate(base, first.frame)]
        if not found or not all(isinstance(each, ClassValue) for each in found):
            return False
        lines = (linker.classes.mro(each) for each in found)
        if any(isinstance(each, ExternalValue) and each.path != "builtins.object" for line in lines for each in line):
            return False
    return True


def _makers(name: str, module: Module) -> set[str]:
    """The names of a function, and of all functions and classes of its module that come to it."""
    makers, before = {name}, 0
    while len(makers) > before:
        before = len(makers)
        for block in module.outline.blocks:
            if (block.is_class or block.defines_function) and any(_mentions(each, block, module) for each in makers):
                makers |= set(block.names)
    return makers


def _keeps_out(block: Block, makers: set[str], module: Module) -> bool:
    """Whether a statement at module level gives no name what a maker returns, but puts it into a table at most."""
    if not any(_mentions(each, block, module) for each in makers) or not block.names:
        return True
    facts = module.facts_of(block)
    value = facts.values.get(block.names[0]) if facts is not None and len(block.names) == 1 else None
    text = module.code[block.span.start : block.span.end]
    calls = re.compile(rf"(?:for\b[^\n]*:|[ \t]+(?:{'|'.join(map(re.escape, makers))})\([^\n]*\)|[ \t]*)\n?")
    if all(calls.fullmatch(row) for row in text.split("\n")):
        return True  # a loop that does nothing with what they return
    return isinstance(value, (Collection, Comprehension, Mapping))


def _mentions(name: str, block: Block, module: Module) -> bool:
    return re.compile(rf"\b{re.escape(name)}\b").search(module.code, block.span.start, block.span.end) is not None
