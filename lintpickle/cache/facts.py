"""Facts of files in the cache, by the content of the files: some entries for each project."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import astuple

from lintpickle import disk
from lintpickle.cache.ourselves import States, state_of_code, state_of_file
from lintpickle.cache.store import CacheStore, digest
from lintpickle.prefilter.marks import Vocabulary
from lintpickle.source.comment_lines import only_statements

if TYPE_CHECKING:
    from lintpickle.source.document import Document

_KIND = "facts"
_FORMAT = 5
_SHARES = 64
_Fact = TypeVar("_Fact")


class FactsCache:
    """The facts of one project's files. `home` identifies the project; facts are only valid for one vocabulary and one
    version of libcst. Without a store, nothing is kept. The facts are divided by the first part of the digest of a
    file's text, so that a run over few files loads and writes few entries."""

    def __init__(self, store: CacheStore | None, home: str, vocabulary: Vocabulary) -> None:
        self._store = store
        self._home = home
        self._vocabulary = vocabulary
        self._shares: dict[int, dict[bytes, bytes]] = {}

    @property
    def home(self) -> str:
        """What identifies the project."""
        return self._home

    @home.setter
    def home(self, home: str) -> None:
        if home != self._home:
            self._home = home
            self._shares.clear()

    @cached_property
    def _rest_of_key(self) -> str:
        words = map(sorted, astuple(self._vocabulary))
        return repr((_FORMAT, state_of_code(), _state_of_libcst(), *words))

    def _share(self, number: int) -> dict[bytes, bytes]:
        if number not in self._shares:
            found = self._store.load(_KIND, self._key_of(number)) if self._store is not None else None
            self._shares[number] = found if isinstance(found, dict) else {}
        return self._shares[number]

    def _key_of(self, number: int) -> str:
        return f"{self._home}/{number}/{self._rest_of_key}"

    def known(self, document: Document) -> bytes | None:
        """The stored facts of a document with the same text."""
        if self._store is None:
            return None
        text = digest_of(document)
        return self._share(text[0] % _SHARES).get(text)

    @property
    def is_kept(self) -> bool:
        """Whether what is added will be there in the next run."""
        return self._store is not None

    def keep(self, new: Mapping[bytes, _Fact], read: Callable[[_Fact], bytes], wanted: Collection[bytes]) -> None:
        """Write the `new` facts with the stored facts of other `wanted` texts, and drop the rest; nothing is written if
        nothing is new. Both are given by the `digest_of` their documents; `read` returns the result of
        `FileFacts.to_keep`."""
        if self._store is None:
            return
        new_of: dict[int, list[bytes]] = {}
        for text in new:
            new_of.setdefault(text[0] % _SHARES, []).append(text)
        wanted_of: dict[int, list[bytes]] = {}
        for text in wanted:
            wanted_of.setdefault(text[0] % _SHARES, []).append(text)
        for number, texts in new_of.items():
            known = self._share(number)
            share = {text: known[text] for text in wanted_of.get(number, ()) if text in known}
            share.update({text: read(new[text]) for text in texts})
            self._store.save(_KIND, self._key_of(number), share)
            self._shares.pop(number)


def digest_of(document: Document) -> bytes:
    """The digest of what parsers get; it also covers whether the file is a notebook, and its byte order mark."""
    return digest(document.code.encode("utf-8", "surrogatepass"))


def digest_of_statements(document: Document) -> bytes:
    """A digest that is the same for two versions of a file that differ only in comment lines and blank lines (not in
    notebooks)."""
    if document.cells is not None:
        return digest_of(document)
    return digest(only_statements(document.code).encode("utf-8", "surrogatepass"))


def _state_of_libcst() -> bytes | States:
    """A value that changes when another libcst is installed: its version, if a file says that. libcst is not imported
    for it."""
    spec = find_spec("libcst")
    if spec is None or spec.origin is None:
        return ()
    try:
        return digest(disk.read(os.path.join(os.path.dirname(spec.origin), "_version.py")))
    except OSError:
        return (state_of_file(spec.origin),)
