"""What judging one module tells about the whole program, and which other modules ask for that."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set
from typing import TypeAlias, TypeVar

from msgspec import Struct

CrossModuleFact: TypeAlias = tuple[str | int, ...]
"""What is told: a word for the sort of thing, then what tells one such thing from another."""

_Key = TypeVar("_Key", bound=Hashable)
_Item = TypeVar("_Item", bound=Hashable)


def merged_sets(*parts: Mapping[_Key, Set[_Item]]) -> dict[_Key, set[_Item]]:
    """The sets of several mappings, key by key."""
    found: dict[_Key, set[_Item]] = {}
    for part in parts:
        for key, items in part.items():
            found.setdefault(key, set()).update(items)
    return found


class Dependency(Struct, frozen=True):
    """Whether another module has told something; with `earlier`, one that comes before the asking one."""

    topic: CrossModuleFact
    earlier: bool


class CrossModuleFacts:
    """What modules tell, by their paths. `order` says which come before which; `before` is what those have told that
    are not judged now."""

    def __init__(self, order: Mapping[str, int], before: Mapping[str, Set[CrossModuleFact]] | None = None) -> None:
        self._order = order
        self._tellers: dict[CrossModuleFact, set[str]] = {}
        for teller, topics in (before or {}).items():
            for topic in topics:
                self._tellers.setdefault(topic, set()).add(teller)
        self.topics: dict[str, set[CrossModuleFact]] = {}
        """What each module has told in this run."""
        self.dependencies: dict[str, dict[Dependency, bool]] = {}
        """What each module has asked in this run, with the answers."""

    def share(self, teller: str, topic: CrossModuleFact) -> None:
        """Take note of what a module tells."""
        self._tellers.setdefault(topic, set()).add(teller)
        self.topics.setdefault(teller, set()).add(topic)

    def learn(self, topics: Mapping[str, Set[CrossModuleFact]]) -> None:
        """Take note of what modules have told in another process."""
        for teller, told in topics.items():
            for topic in told:
                self.share(teller, topic)

    def is_shared(self, asker: str, topic: CrossModuleFact, earlier: bool = False) -> bool:
        """Whether the module itself, or another one (before it, with `earlier`), has told something."""
        if topic in self.topics.get(asker, ()):
            return True
        question = Dependency(topic, earlier)
        answer = self.answer(asker, question)
        self.dependencies.setdefault(asker, {})[question] = answer
        return answer

    def answer(self, asker: str, question: Dependency) -> bool:
        """The answer to a question as of now, whatever the asker has told itself."""
        tellers = self._tellers.get(question.topic, set()) - {asker}
        if not question.earlier:
            return bool(tellers)
        return any(self._order[teller] < self._order[asker] for teller in tellers)
