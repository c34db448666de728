"""The first-party modules of a program, in its order, and searches through all of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias, TypeVar

from msgspec import Struct, field

from lintpickle.facts.origins import Derivations
from lintpickle.prefilter.words import Words
from lintpickle.program.cross_module import merged_sets
from lintpickle.program.file_index import FileIndex
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.reached import ReachedNames

Sought: TypeAlias = tuple[tuple[str, ...], str, int]
"""What is searched for: words, and the pattern and flags of a form; instead of a form, the name of a survey."""
_Key = TypeVar("_Key")
ANYWHERE = re.compile("")
_MANY = 40
"""From so many searches for other words on, an index of the words of all modules takes less time than asking each of
them (measured on 460 modules)."""

THE_PROGRAM = ""
"""The asker of a question that concerns all modules."""


_SURVEY = -1
"""Stands for the flags of a form where a survey is meant."""


class Searches(Struct):
    """Results of searches through the texts of all first-party modules, and the modules that asked for them. Modules
    are represented by their paths.

    Askers depend on a search in four ways: on what the modules that it finds lead to (`askers`), on their texts
    (`of_texts`), on which modules they are (`only_which`), on whether there are any (`only_whether`)."""

    found: dict[Sought, tuple[str, ...]] = field(default_factory=dict)
    """The modules in which what is sought occurs."""
    witnesses: dict[Sought, str] = field(default_factory=dict)
    """For searches that end at the first module: that module, or ""."""
    askers: dict[Sought, set[str]] = field(default_factory=dict)
    of_texts: dict[Sought, set[str]] = field(default_factory=dict)
    only_which: dict[Sought, set[str]] = field(default_factory=dict)
    only_whether: dict[Sought, set[str]] = field(default_factory=dict)
    derived: dict[str, frozenset[str]] = field(default_factory=dict)
    """The results of `BoundaryAliases.derived` by the name of the class."""
    derived_for: dict[str, set[str]] = field(default_factory=dict)
    derivations: dict[str, Derivations] = field(default_factory=dict)
    makers: tuple[str, ...] = ()
    stored: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The results of `FileFacts.stored_from` for `makers`."""

    @classmethod
    def merged(cls, parts: Sequence[Searches], first_party: FirstPartyModules) -> Searches:
        """The searches of several runs over the same modules."""
        return cls(
            found=_united([part.found for part in parts]),
            witnesses={sought: witness for part in parts for sought, witness in part.witnesses.items()},
            askers=merged_sets(*(part.askers for part in parts)),
            of_texts=merged_sets(*(part.of_texts for part in parts)),
            only_which=merged_sets(*(part.only_which for part in parts)),
            only_whether=merged_sets(*(part.only_whether for part in parts)),
            derived={name: derived for part in parts for name, derived in part.derived.items()},
            derived_for=merged_sets(*(part.derived_for for part in parts)),
            derivations=first_party.searches.derivations,
            makers=first_party.searches.makers,
            stored=first_party.searches.stored,
        )


class FirstPartyModules:
    """`paths` are the first-party files, in the order of the program. Results of an earlier run are reused for files
    that have not changed."""

    def __init__(
        self, program: Program, paths: Sequence[str], before: Searches | None = None, changed: Collection[str] = ()
    ) -> None:
        self._program = program
        self._files = program.file_survey
        self.paths = tuple(paths)
        self.order: Mapping[str, int] = {path: place for place, path in enumerate(self.paths)}
        self.changed = frozenset(changed if before is not None else paths)
        """Those of which nothing is known from before."""
        self._before = before or Searches()
        self.searches = Searches()
        self._by_words: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.reached = ReachedNames()
        """What is known of the code that leads to where workers are started."""

    def __iter__(self) -> Iterator[Module]:
        return self._modules(self.paths)

    def modules(self, paths: Collection[str]) -> Iterator[Module]:
        """The modules of these paths that can be read, in the order of the program."""
        return self._modules(path for path in self.paths if path in paths)

    def _modules(self, paths: Iterable[str]) -> Iterator[Module]:
        for path in paths:
            module = self._program.load(path)
            if isinstance(module, Module):
                yield module

    def naming(self, words: Words, asker: str, form: re.Pattern[str] = ANYWHERE) -> Iterator[Module]:
        """The modules in which one of the words occurs on its own (see `Words`), and text of the given form. `asker` is
        the path of the module that is judged, or `THE_PROGRAM`; it depends on all that is read in these modules."""
        return self._modules(self.search(words, asker, form))

    def search(self, words: Words, asker: str, form: re.Pattern[str] = ANYWHERE) -> tuple[str, ...]:
        """The paths of the same modules; the asker depends on all that is read in them."""
        sought = _sought(words, form)
        found = self._found(sought)
        self.searches.askers.setdefault(sought, set()).add(asker)
        return found

    def texts_naming(self, words: Words, asker: str, form: re.Pattern[str] = ANYWHERE) -> Iterator[tuple[str, str]]:
        """The paths and texts (without comment lines) of the same modules. The asker depends on the texts, not on what
        these import."""
        return ((path, self._files.statements(path)) for path in self.search_texts(words, asker, form))

    def search_texts(self, words: Words, asker: str, form: re.Pattern[str] = ANYWHERE) -> tuple[str, ...]:
        """The paths of the same modules; the asker depends on their texts."""
        sought = _sought(words, form)
        found = self._found(sought)
        self.searches.of_texts.setdefault(sought, set()).add(asker)
        return found

    def naming_in_text(self, words: Words, asker: str, form: re.Pattern[str] = ANYWHERE) -> Iterator[Module]:
        """The same modules; the asker depends on their texts, not on what these import."""
        return self._modules(self.search_texts(words, asker, form))

    def surveyed(self, survey: str, words: Words, asker: str) -> Iterator[Module]:
        """The modules in which one of the words occurs on its own, and for which a survey of the program holds (see
        `Program.surveys`). The asker depends on their texts."""
        sought = (words.words, survey, _SURVEY)
        found = self._found(sought)
        self.searches.of_texts.setdefault(sought, set()).add(asker)
        return self._modules(found)

    def surveying(self, survey: str, words: Words, asker: str) -> None:
        """The asker depends on all that is read in the modules noted for a survey: it asks one after another,
        and may end before the last."""
        sought = (words.words, survey, _SURVEY)
        if sought not in self.searches.found:
            known = self._before.found.get(sought)
            self.searches.found[sought] = self._again(sought, known) if known is not None else ()
        self.searches.askers.setdefault(sought, set()).add(asker)

    def note(self, survey: str, words: Words, path: str) -> None:
        """The survey holds for a module: see `surveying`."""
        sought = (words.words, survey, _SURVEY)
        if path not in self.searches.found[sought]:
            self.searches.found[sought] = (*self.searches.found[sought], path)

    def which(self, words: Words, asker: str, form: re.Pattern[str] = ANYWHERE) -> tuple[str, ...]:
        """The paths of the same modules as in `naming`. The asker depends on nothing else in them."""
        sought = _sought(words, form)
        found = self._found(sought)
        self.searches.only_which.setdefault(sought, set()).add(asker)
        return found

    def is_anywhere(self, words: Words, asker: str, form: re.Pattern[str] = ANYWHERE) -> bool:
        """Whether there is any such module. The asker does not depend on which one that is."""
        return self._is_anywhere(_sought(words, form), asker)

    def is_surveyed(self, survey: str, words: Words, asker: str) -> bool:
        """The same of modules for which a survey holds."""
        return self._is_anywhere((words.words, survey, _SURVEY), asker)

    def _is_anywhere(self, sought: Sought, asker: str) -> bool:
        self.searches.only_whether.setdefault(sought, set()).add(asker)
        if sought not in self.searches.witnesses:
            self.searches.witnesses[sought] = self._witness(sought)
        return bool(self.searches.witnesses[sought])

    def _witness(self, sought: Sought) -> str:
        known = self._before.witnesses.get(sought)
        if known is not None and known not in self.changed:
            return known or next(iter(self.found_among_changed(sought)), "")
        found = self.searches.found.get(sought)
        return next(iter(self._search(sought) if found is None else found), "")

    def _found(self, sought: Sought) -> tuple[str, ...]:
        if sought not in self.searches.found:
            known = self._before.found.get(sought)
            self.searches.found[sought] = tuple(self._search(sought)) if known is None else self._again(sought, known)
        return self.searches.found[sought]

    def _again(self, sought: Sought, known: Sequence[str]) -> tuple[str, ...]:
        """The present result of a search whose result before the changes is known."""
        now = self.found_among_changed(sought)
        if not now and self.changed.isdisjoint(known):
            return tuple(known)
        return tuple(self._in_order({*(path for path in known if path not in self.changed), *now}))

    def found_among_changed(self, sought: Sought) -> list[str]:
        """The changed modules in which what is sought occurs."""
        words = sought[0]
        named = (path for path, code in self._changed_texts if Words(words).stand_alone_in(code))
        return [path for path in named if self._holds(path, sought)]

    def _holds(self, path: str, sought: Sought) -> bool:
        """Whether a module contains text of a form; for a survey, whether it holds. What a survey asks is told by
        statements alone, so its result of before is good for a module in which only comments have changed."""
        words, pattern, flags = sought
        if flags == _SURVEY:
            before = self._before.found.get(sought)
            if before is not None and path in self._program.same_statements:
                return path in before
            survey = self._program.surveys[pattern]
            return any(survey(module, words) for module in self._modules((path,)))
        return not pattern or re.compile(pattern, flags).search(self._files.statements(path)) is not None

    @cached_property
    def _changed_texts(self) -> list[tuple[str, str]]:
        return [(module.path, module.document.code) for module in self.modules(self.changed)]

    def sizes(self) -> dict[str, int]:
        """The number of characters of each module that can be read."""
        return self._files.sizes(self.paths)

    def _search(self, sought: Sought) -> Iterator[str]:
        return (path for path in self._named(sought[0]) if self._holds(path, sought))

    def _named(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """The modules in which one of the words occurs on its own. Many forms are sought with the same words."""
        if words not in self._by_words:
            sought = Words(words)
            among = self.paths if len(self._by_words) < _MANY else self._in_order(self._index.candidates(sought))
            candidates = self._files.candidates(sought, among)
            self._by_words[words] = tuple(path for path in candidates if sought.stand_alone_in(self._files.code(path)))
        return self._by_words[words]

    @cached_property
    def _index(self) -> FileIndex:
        return self._files.index(self.paths)

    def _in_order(self, paths: Iterable[str]) -> list[str]:
        return sorted(paths, key=self.order.__getitem__)

    def candidates(self, words: Words, paths: Sequence[str]) -> frozenset[str]:
        """The paths of the modules that contain one of the words on its own."""
        candidates = self._files.candidates(words, paths)
        return frozenset(path for path in candidates if words.stand_alone_in(self._files.code(path)))

    def derivations(self) -> Iterator[tuple[tuple[str, ...], frozenset[str]]]:
        """The names bound at module level in any of the modules, each with the names that it may stand for."""
        for found in self.all_derivations.values():
            yield from found

    @cached_property
    def all_derivations(self) -> dict[str, Derivations]:
        """The result of `derivations` for each module."""
        now = {path: self._files.derivations(path) for path in self.paths if path in self.changed}
        kept = {path: found for path, found in self._before.derivations.items() if path not in self.changed}
        self.searches.derivations = {**kept, **{path: found for path, found in now.items() if found}}
        return self.searches.derivations

    def stored_from(self, makers: Words) -> frozenset[str]:
        """The names bound at module level by code that reads the name of a maker."""
        if self.searches.makers != makers.words:
            fresh = self.changed if self._before.makers == makers.words else frozenset(self.paths)
            kept = {path: names for path, names in self._before.stored.items() if path not in fresh}
            now = {path: self._files.stored_from(path, makers) for path in self.paths if path in fresh}
            self.searches.makers = makers.words
            self.searches.stored = {**kept, **{path: names for path, names in now.items() if names}}
        return frozenset(name for names in self.searches.stored.values() for name in names)

    def learn(self, searches: Searches) -> None:
        """Add the results of another process."""
        self.searches = Searches.merged([self.searches, searches], self)

    def searches_after(self, before: Searches, judged_again: Collection[str]) -> Searches:
        """All searches, including those of an earlier run by modules that were not judged again."""
        now = self.searches
        if before.makers and not now.makers:  # Another process has asked: see `learn`.
            self.stored_from(Words(before.makers))
        askers = _asking(before.askers, now.askers, judged_again)
        of_texts = _asking(before.of_texts, now.of_texts, judged_again)
        only_which = _asking(before.only_which, now.only_which, judged_again)
        only_whether = _asking(before.only_whether, now.only_whether, judged_again)
        derived_for = _asking(before.derived_for, now.derived_for, judged_again)
        sought_again = askers.keys() | of_texts.keys() | only_which.keys()
        found = {sought: self._again(sought, known) for sought, known in before.found.items() if sought in sought_again}
        return Searches(
            found={**found, **now.found},
            witnesses={
                sought: witness
                for sought, witness in {**before.witnesses, **now.witnesses}.items()
                if sought in only_whether
            },
            askers=askers,
            of_texts=of_texts,
            only_which=only_which,
            only_whether=only_whether,
            derived={name: names for name, names in {**before.derived, **now.derived}.items() if name in derived_for},
            derived_for=derived_for,
            derivations=self.all_derivations,
            makers=now.makers,
            stored=now.stored,
        )


def _united(parts: Sequence[Mapping[Sought, tuple[str, ...]]]) -> dict[Sought, tuple[str, ...]]:
    """What several runs have found: each may have surveyed some of the modules."""
    found: dict[Sought, tuple[str, ...]] = {}
    for part in parts:
        for sought, paths in part.items():
            before = found.get(sought, paths)
            found[sought] = paths if before == paths else tuple(dict.fromkeys((*before, *paths)))
    return found


def _sought(words: Words, form: re.Pattern[str]) -> Sought:
    return words.words, form.pattern, form.flags if form.pattern else 0


def _asking(
    before: Mapping[_Key, set[str]], now: Mapping[_Key, set[str]], judged_again: Collection[str]
) -> dict[_Key, set[str]]:
    """The askers of each search: those of this run, and those of the earlier run that were not judged again."""
    kept = {sought: each.difference(judged_again) for sought, each in before.items()}
    return {sought: asking for sought, asking in merged_sets(kept, now).items() if asking}
