"""The first-party modules of a program, in its order, and what searches through all of them find."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct, field

from lintpickle.facts.origins import Derivations
from lintpickle.project.program import Module, Program
from lintpickle.project.told import united
from lintpickle.source.screen import Words

_WORD = re.compile(r"\w+")
_Sought: TypeAlias = tuple[str, ...]

THE_PROGRAM = ""
"""Who asks what concerns all modules."""


class Searches(Struct):
    """What was found in the texts of all first-party modules, and for whom; modules by their paths."""

    found: dict[_Sought, tuple[str, ...]] = field(default_factory=dict)
    """For words, the modules in which one of them stands."""
    askers: dict[_Sought, set[str]] = field(default_factory=dict)
    derived: dict[str, frozenset[str]] = field(default_factory=dict)
    """For the name of a class, what `StandIns.derived` gives."""
    derived_for: dict[str, set[str]] = field(default_factory=dict)
    derivations: dict[str, Derivations] = field(default_factory=dict)
    makers: _Sought = ()
    stored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """What `FileFacts.stored_from` gives for `makers`."""

    @classmethod
    def merged(cls, parts: Sequence[Searches]) -> Searches:
        """The searches of several runs over the same modules."""
        first, *_ = parts
        return cls(
            found={sought: found for part in parts for sought, found in part.found.items()},
            askers=united(*(part.askers for part in parts)),
            derived={name: derived for part in parts for name, derived in part.derived.items()},
            derived_for=united(*(part.derived_for for part in parts)),
            derivations=first.derivations,
            makers=first.makers,
            stored=first.stored,
        )


class OwnModules:
    """`paths` are the first-party files, in the order of the program. What was found in an earlier run counts for all
    of them but those that have changed since."""

    def __init__(
        self, program: Program, paths: Sequence[str], before: Searches | None = None, changed: Collection[str] = ()
    ) -> None:
        self._program = program
        self.paths = tuple(paths)
        self.order: Mapping[str, int] = {path: place for place, path in enumerate(self.paths)}
        self.changed = frozenset(changed if before is not None else paths)
        """Those of which nothing is known from before."""
        self._before = before or Searches()
        self.searches = Searches()

    def __iter__(self) -> Iterator[Module]:
        return self._modules(self.paths)

    def modules(self, paths: Collection[str]) -> Iterator[Module]:
        """Those of the paths, in the order of the program; without files that cannot be read."""
        return self._modules(path for path in self.paths if path in paths)

    def _modules(self, paths: Iterable[str]) -> Iterator[Module]:
        for path in paths:
            module = self._program.load(path)
            if isinstance(module, Module):
                yield module

    def naming(self, words: Words, asker: str) -> list[Module]:
        """The modules in which one of the words stands. `asker` is the path of the module that is judged, or
        `THE_PROGRAM`."""
        sought = words.words
        if sought not in self.searches.found:
            known = self._before.found.get(sought)
            self.searches.found[sought] = tuple(self._search(words)) if known is None else self._again(sought, known)
        self.searches.askers.setdefault(sought, set()).add(asker)
        return list(self._modules(self.searches.found[sought]))

    def _again(self, sought: _Sought, known: Sequence[str]) -> tuple[str, ...]:
        """What is found now, if that was found before the changes."""
        now = self.found_among_changed(sought)
        if not now and self.changed.isdisjoint(known):
            return tuple(known)
        return tuple(sorted({*(path for path in known if path not in self.changed), *now}, key=self.order.__getitem__))

    def found_among_changed(self, sought: _Sought) -> list[str]:
        """The modules that have changed in which one of the words stands."""
        return [path for path, code in self._changed_texts if any(word in code for word in sought)]

    @cached_property
    def _changed_texts(self) -> list[tuple[str, str]]:
        return [(module.document.path, module.code) for module in self.modules(self.changed)]

    def _search(self, words: Words) -> list[str]:
        """Some searches scan the texts; for many of whole words, an index pays."""
        if len(self.searches.found) < self._searches_without_index or not all(map(_WORD.fullmatch, words.words)):
            return [module.document.path for module in self if words.are_in(module.code)]
        found = {place for word in words.words for place in self._index.get(word, ())}
        return [self.paths[place] for place in sorted(found)]

    @cached_property
    def _searches_without_index(self) -> int:
        """How often texts can be searched in twice the time in which their words are put into an index (by the speeds
        that were measured of both, per character and per file): most programs need less."""
        size = sum(len(module.code) for module in self)
        return int(2 * size / 30e6 / (len(self.paths) * 1.5e-6 + size / 2.3e9 + 1e-9))

    @cached_property
    def _index(self) -> dict[str, list[int]]:
        """For each word, the places of the modules in which it stands."""
        found: dict[str, list[int]] = {}
        for module in self:
            place = self.order[module.document.path]
            for word in set(_WORD.findall(module.code)):
                found.setdefault(word, []).append(place)
        return found

    def derivations(self) -> Iterator[tuple[tuple[str, ...], frozenset[str]]]:
        """Names bound at module level in any of the modules, with those that they may stand for."""
        for found in self.all_derivations.values():
            yield from found

    @cached_property
    def all_derivations(self) -> dict[str, Derivations]:
        """The same, by the module that binds them."""
        now = {module.document.path: module.facts.derivations for module in self.modules(self.changed)}
        kept = {path: found for path, found in self._before.derivations.items() if path not in self.changed}
        self.searches.derivations = {**kept, **{path: found for path, found in now.items() if found}}
        return self.searches.derivations

    def stored_from(self, makers: Words) -> frozenset[str]:
        """The names bound at module level to something in which the name of a maker is read."""
        fresh = self.changed if self._before.makers == makers.words else frozenset(self.paths)
        kept = {path: names for path, names in self._before.stored.items() if path not in fresh}
        now = {module.document.path: module.facts.stored_from(makers) for module in self.modules(fresh)}
        self.searches.makers = makers.words
        self.searches.stored = {**kept, **{path: names for path, names in now.items() if names}}
        return frozenset(name for names in self.searches.stored.values() for name in names)

    def searches_after(self, before: Searches, judged_again: Collection[str]) -> Searches:
        """All searches, those of an earlier run too but for the modules that were judged again."""
        now = self.searches
        askers = united({sought: each.difference(judged_again) for sought, each in before.askers.items()}, now.askers)
        derived_for = united(
            {name: each.difference(judged_again) for name, each in before.derived_for.items()}, now.derived_for
        )
        found = {sought: self._again(sought, known) for sought, known in before.found.items() if askers[sought]}
        return Searches(
            found={**found, **now.found},
            askers={sought: asking for sought, asking in askers.items() if asking},
            derived={name: names for name, names in {**before.derived, **now.derived}.items() if derived_for[name]},
            derived_for={name: asking for name, asking in derived_for.items() if asking},
            derivations=now.derivations,
            makers=now.makers,
            stored=now.stored,
        )
