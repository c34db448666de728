"""What the judging of one module says about the whole program, and which other modules depend on it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Set
from typing import TypeAlias, TypeVar

from msgspec import Struct

CrossModuleFact: TypeAlias = tuple[str | int, ...]
"""A fact: a word for its kind, then what distinguishes it from other facts of the kind. A number in it is an offset in
the file whose path stands before it."""
WORKERS: CrossModuleFact = ("workers",)
"""The module may start workers."""
FORKED: CrossModuleFact = ("forked",)
"""The code of the module asks for fork, or that of the program does for it."""
LIBRARY_LOADERS: CrossModuleFact = ("loaders", "of the library")
OTHER_LOADERS: CrossModuleFact = ("loaders", "of tests, examples, docs")
"""The module has loaders that may have workers."""
SENDS_TO_PROCESSES: CrossModuleFact = ("sends to processes",)
"""The module may send something to processes of another kind, or start them: those of joblib, a cluster, a manager."""
EXPORTS_PAYLOAD: CrossModuleFact = ("exports payload",)
"""Users of the module may ship its public classes."""


def run_by_workers(path: str) -> CrossModuleFact:
    """The module starts workers that run code of the file of a path, or unpickle what it defines."""
    return ("run by workers", path)


_Key = TypeVar("_Key", bound=Hashable)
_Item = TypeVar("_Item", bound=Hashable)


def merged_sets(*parts: Mapping[_Key, Set[_Item]]) -> dict[_Key, set[_Item]]:
    """The union of several mappings of sets, key by key."""
    found: dict[_Key, set[_Item]] = {}
    for part in parts:
        for key, items in part.items():
            found.setdefault(key, set()).update(items)
    return found


class Dependency(Struct, frozen=True):
    """The question whether another module has shared a fact; with `earlier`, a module that comes before the asking
    one."""

    topic: CrossModuleFact
    earlier: bool


class CrossModuleFacts:
    """The shared facts, each with the paths of the modules that share it. `order` gives the order of the modules;
    `before` holds the facts of modules that are not judged in this run."""

    def __init__(self, order: Mapping[str, int], before: Mapping[str, Set[CrossModuleFact]] | None = None) -> None:
        self._order = order
        self._tellers: dict[CrossModuleFact, set[str]] = {}
        for teller, topics in (before or {}).items():
            for topic in topics:
                self._tellers.setdefault(topic, set()).add(teller)
        self.topics: dict[str, set[CrossModuleFact]] = {}
        """The facts that each module has shared in this run."""
        self.dependencies: dict[str, dict[Dependency, bool]] = {}
        """The questions that each module has asked in this run, with the answers."""

    def share(self, teller: str, topic: CrossModuleFact) -> None:
        """Record a fact that a module shares."""
        self._tellers.setdefault(topic, set()).add(teller)
        self.topics.setdefault(teller, set()).add(topic)

    def learn(self, topics: Mapping[str, Set[CrossModuleFact]]) -> None:
        """Add facts that modules have shared in another process."""
        for teller, told in topics.items():
            for topic in told:
                self.share(teller, topic)

    def is_shared(self, asker: str, topic: CrossModuleFact, earlier: bool = False) -> bool:
        """Whether the asking module itself, or another one (with `earlier`: one before it), has shared the fact. The
        asker then depends on it."""
        if topic in self.topics.get(asker, ()):
            return True
        question = Dependency(topic, earlier)
        answer = self.answer(asker, question)
        self.dependencies.setdefault(asker, {})[question] = answer
        return answer

    def answer(self, asker: str, question: Dependency) -> bool:
        """The present answer to a question, without the facts of the asker itself."""
        tellers = self._tellers.get(question.topic, set()) - {asker}
        if not question.earlier:
            return bool(tellers)
        return any(self._order[teller] < self._order[asker] for teller in tellers)
