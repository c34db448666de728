"""Aliases of boundaries: a program's own subclasses of DataLoader, partials and other names of boundaries, and the
names of its pools, executors and queues, whose methods are boundaries.

The screen searches for the boundaries' own names, which a call of an alias does not contain. Aliases are found in
outlines and text alone, without resolving names, so there may be too many, but never too few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.catalog import Catalog
from lintpickle.facts.values import Attribute, Expr, Imported, Name, Parameter
from lintpickle.input_limits import NAME_LENGTH
from lintpickle.limits import ROUNDS
from lintpickle.parsing.outline import Block
from lintpickle.prefilter.words import Words
from lintpickle.program.cuts import Cuts
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module

_PARAMETER = r"\bdef\s+\w+\s*\([^()]*(?:\([^()]*\)[^()]*)*(?<=[\s,(*]){0}\b"
"""A name that is a parameter."""
_OWN_CLASS = "cls"
_LAST_NAME = re.compile(r"(?<![\w.])([^\W\d]\w*)\s*\Z")


class BoundaryAliases:
    """The aliases in a program. `catalog` knows the names of the boundaries."""

    def __init__(self, first_party: FirstPartyModules, catalog: Catalog, cuts: Cuts) -> None:
        self._cuts = cuts
        self._first_party = first_party
        self._bound_from: dict[str, set[str]] = {}
        for bound, origins in first_party.derivations():
            for origin in origins:
                self._bound_from.setdefault(origin, set()).update(bound)
        words = catalog.boundary_words()
        self.names = self._grown(words) - words
        self._words = Words(self.names)
        self._named = _any_of(self.names)
        makers = catalog.boundary_makers()
        own_makers = self._grown(makers)
        self.held = self._grown(first_party.stored_from(Words(own_makers)))
        """Module-level names of objects that have boundaries for methods, and of functions that give such."""
        self._holds = _any_of(self.held)
        self._methods = catalog.boundary_methods() if self.held or own_makers > makers else frozenset()
        self._method = re.compile(rf"\.\s*{_any_of(self._methods).pattern}\s*\(")
        self.on_name = re.compile(rf"\.\s*{_any_of(catalog.boundary_methods()).pattern}\s*\(")
        """What stands in every function in which a method that can be a boundary is called."""
        self._on_own = re.compile(rf"\b(?:self|cls)(?:\.\w+)+{self.on_name.pattern}")
        self._makes = re.compile(rf"\.\s*{_any_of(catalog.making_methods()).pattern}\s*\(")
        self._makers = Words(makers)
        self.pattern = re.compile(f"{self._named.pattern}|{self._method.pattern}")
        """What stands in every function in which a alias is called, but for calls of `__init__`."""
        self._pattern_in_class = re.compile(rf"{self.pattern.pattern}|\b(?:__init__|cls)\s*\(")

    def derived(self, class_name: str, asker: str) -> frozenset[str]:
        """The names of a class, of classes derived from it, and of aliases of these; there may be too many. `asker` is
        the path of the module that is judged."""
        searches = self._first_party.searches
        if class_name not in searches.derived:
            searches.derived[class_name] = self.names_derived(class_name)
        searches.derived_for.setdefault(class_name, set()).add(asker)
        return searches.derived[class_name]

    def names_derived(self, class_name: str) -> frozenset[str]:
        """Like `derived`, without recording a module that asks."""
        return self._grown(frozenset({class_name}))

    def _grown(self, names: frozenset[str]) -> frozenset[str]:
        for _ in range(ROUNDS.most):
            more = names.union(*(self._bound_from[name] for name in names if name in self._bound_from))
            if more == names:
                return names
            names = more
        self._cuts.note_of_program(ROUNDS)
        return names

    def calls(self, modules: Sequence[Module]) -> Iterator[tuple[Module, Block]]:
        """The blocks of the modules in which an alias may be called."""
        naming = self._first_party.candidates(self._words, [module.path for module in modules])
        for module in modules:
            if module.path in naming or self._calls_method(module.code, 0, len(module.code)):
                for block in module.outline.blocks:
                    if not block.bare and self._is_in(module.code, block.span.start, block.span.end):
                        yield module, block

    def pattern_for(self, block: Block) -> re.Pattern[str]:
        """A pattern that matches in every function of the block in which an alias is called."""
        is_one = any(header.name in self.names for header in block.classes)
        return self._pattern_in_class if is_one else self.pattern

    def _is_in(self, code: str, start: int, end: int) -> bool:
        return self._named.search(code, start, end) is not None or self._calls_method(code, start, end)

    def _calls_method(self, code: str, start: int, end: int) -> bool:
        """Whether a part of the code names a held object and calls a method that can be a boundary."""
        if not self.held:
            return False
        return bool(self._method.search(code, start, end) and self._holds.search(code, start, end))

    def given(self, modules: Sequence[Module]) -> Iterator[tuple[Module, Block]]:
        """The blocks of the modules that call a method that can be a boundary on a parameter, or on an attribute of an
        object, or on what a method may make of these."""
        for module in modules:
            if not self.on_name.search(module.code) or not self._first_party.is_anywhere(self._makers, module.path):
                continue
            for block in module.outline.blocks:
                is_wanted = not block.bare and (
                    self._calls_on_parameter(module.code, block.span.start, block.span.end)
                    or (block.is_class and self._on_own.search(module.code, block.span.start, block.span.end))
                    or self._makes.search(module.code, block.span.start, block.span.end)
                )
                if is_wanted:
                    yield module, block

    def _calls_on_parameter(self, code: str, start: int, end: int) -> bool:
        calls = self.on_name.finditer(code, start, end)
        receivers = (
            _LAST_NAME.search(code, max(start, call.start() - NAME_LENGTH.most), call.start()) for call in calls
        )
        names = {match[1] for match in receivers if match is not None} - {"self", "cls"}
        return any(re.compile(_PARAMETER.format(name)).search(code, start, end) for name in names)

    def is_one(self, function: Expr) -> bool:
        """Whether the called function has the name of an alias, or of a method that can be a boundary, or is the class
        of a class method."""
        match function:
            case Attribute(name=name) if name in self._methods or name == "__init__":
                return True
            case Name(name=name) | Attribute(name=name):
                return name in self.names
            case Parameter(name=name):
                return name == _OWN_CLASS
            case Imported(target=target):
                return (target.name or _last(target.module)) in self.names
            case _:
                return False


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]


def _any_of(words: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(re.escape(word) for word in sorted(words))})\b" if words else r"(?!)")
