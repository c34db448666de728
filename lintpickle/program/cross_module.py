"""What judging one module tells about the whole program, and which other modules ask for that."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set
from typing import TypeAlias, TypeVar

from msgspec import Struct

Topic: TypeAlias = tuple[str | int, ...]
"""What is told: a word for the sort of thing, then what tells one such thing from another."""

_Key = TypeVar("_Key", bound=Hashable)
_Item = TypeVar("_Item", bound=Hashable)


def united(*parts: Mapping[_Key, Set[_Item]]) -> dict[_Key, set[_Item]]:
    """The sets of several mappings, key by key."""
    found: dict[_Key, set[_Item]] = {}
    for part in parts:
        for key, items in part.items():
            found.setdefault(key, set()).update(items)
    return found


class Question(Struct, frozen=True):
    """Whether another module has told something; with `earlier`, one that comes before the asking one."""

    topic: Topic
    earlier: bool


class Told:
    """What modules tell, by their paths. `order` says which come before which; `before` is what those have told that
    are not judged now."""

    def __init__(self, order: Mapping[str, int], before: Mapping[str, Set[Topic]] | None = None) -> None:
        self._order = order
        self._tellers: dict[Topic, set[str]] = {}
        for teller, topics in (before or {}).items():
            for topic in topics:
                self._tellers.setdefault(topic, set()).add(teller)
        self.topics: dict[str, set[Topic]] = {}
        """What each module has told in this run."""
        self.questions: dict[str, dict[Question, bool]] = {}
        """What each module has asked in this run, with the answers."""

    def tell(self, teller: str, topic: Topic) -> None:
        """Take note of what a module tells."""
        self._tellers.setdefault(topic, set()).add(teller)
        self.topics.setdefault(teller, set()).add(topic)

    def learn(self, topics: Mapping[str, Set[Topic]]) -> None:
        """Take note of what modules have told in another process."""
        for teller, told in topics.items():
            for topic in told:
                self.tell(teller, topic)

    def is_told(self, asker: str, topic: Topic, earlier: bool = False) -> bool:
        """Whether the module itself, or another one (before it, with `earlier`), has told something."""
        if topic in self.topics.get(asker, ()):
            return True
        question = Question(topic, earlier)
        answer = self.answer(asker, question)
        self.questions.setdefault(asker, {})[question] = answer
        return answer

    def answer(self, asker: str, question: Question) -> bool:
        """The answer to a question as of now, whatever the asker has told itself."""
        tellers = self._tellers.get(question.topic, set()) - {asker}
        if not question.earlier:
            return bool(tellers)
        return any(self._order[teller] < self._order[asker] for teller in tellers)
