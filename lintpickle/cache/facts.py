"""Facts of files, kept by what the files hold: one entry of the cache for each project."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

from msgspec.structs import astuple

import lintpickle.facts
import lintpickle.source
from lintpickle.cache.store import Store, digest
from lintpickle.source.marks import Vocabulary

if TYPE_CHECKING:
    from lintpickle.project.program import Module
    from lintpickle.source.document import Document

_KIND = "facts"
_FORMAT = 2


class FactsCache:
    """The facts of one project's files. `root` names the project; facts are only good for the same vocabulary, and
    for the libcst that they were read by. Without a store, facts are only kept for the run."""

    def __init__(self, store: Store | None, root: str, vocabulary: Vocabulary) -> None:
        self._store = store
        self._key = repr((_FORMAT, root, _state_of_readers(), *map(sorted, astuple(vocabulary))))
        self._is_changed = False

    def __bool__(self) -> bool:
        return bool(self._known)

    @cached_property
    def _known(self) -> dict[bytes, bytes]:
        found = self._store.load(_KIND, self._key) if self._store is not None else None
        return found if isinstance(found, dict) else {}

    def known(self, document: Document) -> bytes | None:
        """What is kept of a document with the same text."""
        return self._known.get(digest_of(document)) if self._known else None

    def add(self, kept: Mapping[bytes, bytes]) -> None:
        """Take over what `FileFacts.to_keep` gave, by `digest_of` the documents."""
        self._known.update(kept)
        self._is_changed = self._is_changed or bool(kept)

    def keep(self, modules: Iterable[Module], others: Collection[bytes] = ()) -> None:
        """Write what is known of the modules and of `others` (by `digest_of` them), and nothing else, unless all of it
        has been written already."""
        modules = list(modules)
        if self._store is None or not (self._is_changed or any(module.facts.is_changed for module in modules)):
            return
        kept = {text: self._known[text] for text in others if text in self._known}
        self._known = {**kept, **{module.digest: module.facts.to_keep() for module in modules}}
        self._store.save(_KIND, self._key, self._known)
        self._is_changed = False


def digest_of(document: Document) -> bytes:
    """Of what parsers get; notebooks and files with a mark for their byte order count by that, too."""
    return digest(document.code.encode("utf-8", "surrogatepass"))


def _state_of_readers() -> tuple[tuple[str, int, int], ...]:
    """What changes when facts are read in another way: another libcst is installed, or code of a checkout is changed
    (of an installed lintpickle, the version tells, which every entry has). Nothing is imported for it."""
    spec = find_spec("libcst")
    files = [spec.origin] if spec is not None and spec.origin is not None else []
    for package in (lintpickle.facts, lintpickle.source):
        files += [entry.path for folder in package.__path__ for entry in os.scandir(folder) if entry.is_file()]
    states = ((path, os.stat(path)) for path in sorted(files))
    return tuple((path, status.st_mtime_ns, status.st_size) for path, status in states)
