"""Classes whose objects keep the hash that they once took of a text, and give it whenever they are asked for theirs.

Source: Python's documentation of `object.__hash__` and of PYTHONHASHSEED; measured under all start methods with CPython
3.11: an unpickled object gives the hash of the process that made it, an equal one that is made here has another one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, is_me, known_ancestors, stores_of
from lintpickle.analyses.calls_and_values.seen_texts import TEXT_METHODS
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Constant,
    Data,
    Expr,
    Name,
    Parameter,
    Sum,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import ClassValue, Site
from lintpickle.interpreter.protocols import Ancestor
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_OWN_HASH = "__hash__"
_KEEPING = re.compile(r"[=,]\s*hash\s*\(")
_FIXING_SEED = re.compile(r"\bexec[lv]p?e?\s*\(")
_SEED = Words({"PYTHONHASHSEED"})
_TEXT_FUNCTIONS = frozenset({"str", "repr", "bytes", "ascii", "format"})
_NUMBER_FUNCTIONS = frozenset({"int", "len", "float", "bool", "ord"})
_TEXT_TYPES = frozenset({"str", "bytes"})
_NUMBER_TYPES = frozenset({"int", "float", "bool"})
_PARAMETERS_END = re.compile(r"\)\s*(?:->[^\n]*)?:[ \t]*\n")
_DEPTH = 3
"""How many stores are followed from an attribute to what it was given."""
_REBUILDING = (*REDUCERS, "__getstate__", "__setstate__")
"""Methods that may leave the hash out, or take it anew."""


class KeptHash(Struct, frozen=True):
    """The call of `hash` whose result objects of a class keep in an attribute."""

    class_: ClassValue
    attribute: str
    site: Site
    function: FunctionFacts
    """The method that takes it."""
    parameters: tuple[tuple[FunctionFacts, str], ...]
    """The parameters of methods of which it is taken, as far as it is: these may be texts."""
    is_of_text: bool
    """Whether it surely is the hash of a text, or of what has one in it."""
    is_at_once: bool
    """Whether each object has it when it is made; otherwise it is taken when it is first asked for."""


def kept_hashes(linker: Linker, asker: str) -> tuple[KeptHash, ...]:
    """The hashes that objects of the program's classes keep, of what is not surely a number. None where the program
    starts itself again with a seed that it has chosen."""
    return linker.remembered(("kept hashes", asker), lambda: tuple(_kept_hashes(linker, asker)))


def _kept_hashes(linker: Linker, asker: str) -> Iterator[KeptHash]:
    modules = list(linker.first_party.naming_in_text(Words({_OWN_HASH}), asker, _KEEPING))
    if not modules or linker.first_party.is_anywhere(_SEED, asker, _FIXING_SEED):
        return
    for module in modules:
        blocks = (block for block in module.outline.blocks if block.is_class)
        for facts in module.facts_of_blocks(each for each in blocks if _KEEPING.search(module.facts.text(each))):
            for class_ in linker.activations.classes_in(module, facts):
                if _OWN_HASH in class_.facts.methods:
                    yield from _kept_by(class_, linker)


def own_hashes_kept(class_: ClassValue, method: FunctionFacts, linker: Linker) -> int:
    """How many hashes a method takes to keep what `__hash__` of its object gives."""
    found = linker.classes.find_method(class_, _OWN_HASH)
    given = _given_by(found[1]) if found is not None else frozenset()
    return sum(
        isinstance(event, Store)
        and event.attribute in given
        and is_me(event.target, method)
        and _hash_taken(event.value) is not None
        for event in method.events
    )


def _given_by(hashing: FunctionFacts) -> frozenset[str]:
    """The attributes of its object that a method gives."""
    values = (without_narrowing(option) for each in hashing.returns for option in options_of(without_narrowing(each)))
    return frozenset(
        each.name for each in values if isinstance(each, Attribute) and is_me(without_narrowing(each.base), hashing)
    )


def _hash_taken(value: Expr) -> Call | None:
    """The call of `hash` that an expression is."""
    taken = without_narrowing(value)
    return (
        taken
        if isinstance(taken, Call) and isinstance(taken.function, Name) and taken.function.name == "hash"
        else None
    )


def _kept_by(class_: ClassValue, linker: Linker) -> Iterator[KeptHash]:
    line = known_ancestors(class_, linker.classes)
    if line is None or defines(line, *_REBUILDING):
        return
    given = _given_by(class_.facts.methods[_OWN_HASH])
    for attribute in sorted(given):
        for method, store in stores_of(line, attribute):
            taken = _hash_taken(store.value)
            if taken is not None:
                parts = _Parts(line, class_)
                parts.read(taken, method)
                if parts.is_text or parts.parameters or parts.is_unknown:
                    yield KeptHash(
                        class_,
                        attribute,
                        Site(class_.module, taken.span),
                        method,
                        tuple(dict.fromkeys(parts.parameters)),
                        parts.is_text,
                        method.name != _OWN_HASH and not store.guards,
                    )
                    break


class _Parts:
    """What a hash is taken of: whether there is a text in it, parameters that may be one, or what is not known."""

    def __init__(self, line: tuple[Ancestor, ...], class_: ClassValue) -> None:
        self._line = line
        self._text = class_.module.code[class_.facts.header.end : class_.facts.span.end]
        self._module = class_.module
        self.is_text = False
        self.is_unknown = False
        self.parameters: list[tuple[FunctionFacts, str]] = []

    def read(self, taken: Call, method: FunctionFacts) -> None:
        """Look at what a call of `hash` in a method is given."""
        for each in taken.positional() or ():
            self._look(each, method, _DEPTH)

    def _look(self, value: Expr, method: FunctionFacts, steps: int) -> None:
        match inner := without_narrowing(value):
            case Collection(elements=elements) | Sum(parts=elements):
                for each in elements:
                    self._look(each, method, steps)
            case Constant(value=known):
                self.is_text = self.is_text or isinstance(known, (str, bytes))
            case Data(kind=kind):
                self.is_text = self.is_text or kind == "str"
            case Call(function=Attribute(name=name)) if name in TEXT_METHODS:
                self.is_text = True
            case Call(function=Name(name=name)) if name in _TEXT_FUNCTIONS | _NUMBER_FUNCTIONS:
                self.is_text = self.is_text or name in _TEXT_FUNCTIONS
            case Parameter(name=name) if not is_me(inner, method):
                text = self._module.code[method.header.end : method.span.end]
                self._typed(_type_named(name, _PARAMETERS_END.split(text, 1)[0]), (method, name))
            case Attribute(base=base, name=name) if is_me(without_narrowing(base), method):
                self._look_at_attribute(name, steps)
            case _:
                self.is_unknown = True

    def _look_at_attribute(self, name: str, steps: int) -> None:
        """What methods keep under the name, or the annotation of the field."""
        type_ = _type_named(name, self._text, "(?m:^)[ \t]+")
        kept = list(stores_of(self._line, name)) if steps and type_ is None else []
        for method, store in kept:
            self._look(store.value, method, steps - 1)
        if not kept:
            self._typed(type_, None)

    def _typed(self, type_: str | None, parameter: tuple[FunctionFacts, str] | None) -> None:
        if type_ in _NUMBER_TYPES:
            return
        if type_ in _TEXT_TYPES:
            self.is_text = True
        elif parameter is not None:
            self.parameters.append(parameter)
        else:
            self.is_unknown = True


def _type_named(name: str, text: str, before: str = r"[(,]\s*") -> str | None:
    """The annotation of a name, if it is one word."""
    found = re.search(rf"{before}{re.escape(name)}\s*:\s*(\w+)\s*(?=[,)=\n]|$)", text)
    return found[1] if found is not None else None
