"""Facts of files, kept by what the files hold: one entry of the cache for each project."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

from msgspec.structs import astuple

from lintpickle.cache.ourselves import States, state_of_code, state_of_file
from lintpickle.cache.store import Store, digest
from lintpickle.source.marks import Vocabulary

if TYPE_CHECKING:
    from lintpickle.project.program import Module
    from lintpickle.source.document import Document

_KIND = "facts"
_FORMAT = 4
_SHARES = 64


class FactsCache:
    """The facts of one project's files. `root` names the project; facts are only good for the same vocabulary, and
    for the libcst that they were read by. Without a store, nothing is kept.

    They are kept in shares, by what the digest of a file's text begins with: a run that looks at few files loads and
    writes few of them.
    """

    def __init__(self, store: Store | None, root: str, vocabulary: Vocabulary) -> None:
        self._store = store
        self._key = repr((_FORMAT, root, state_of_code(), _state_of_libcst(), *map(sorted, astuple(vocabulary))))
        self._shares: dict[int, dict[bytes, bytes]] = {}
        self._changed: set[int] = set()

    def _share(self, number: int) -> dict[bytes, bytes]:
        if number not in self._shares:
            found = self._store.load(_KIND, self._key_of(number)) if self._store is not None else None
            self._shares[number] = found if isinstance(found, dict) else {}
        return self._shares[number]

    def _key_of(self, number: int) -> str:
        return f"{self._key}/{number}"

    def known(self, document: Document) -> bytes | None:
        """What is kept of a document with the same text."""
        if self._store is None:
            return None
        text = digest_of(document)
        return self._share(text[0] % _SHARES).get(text)

    def _add(self, kept: Mapping[bytes, bytes]) -> None:
        """Take over what `FileFacts.to_keep` gave, by `digest_of` the documents."""
        for text, facts in kept.items():
            self._share(text[0] % _SHARES)[text] = facts
            self._changed.add(text[0] % _SHARES)

    @property
    def is_kept(self) -> bool:
        """Whether what is added stays for the next run."""
        return self._store is not None

    def keep(self, modules: Iterable[Module], read: Mapping[bytes, bytes], others: Collection[bytes]) -> None:
        """Write what is known of the modules, what other processes have `read` of them, and what is known of `others`
        (by `digest_of` them), and nothing else, where anything is new."""
        modules = list(modules)
        if self._store is None:
            return
        self._add({module.digest: module.facts.to_keep() for module in modules if module.facts.is_changed})
        self._add(read)
        wanted = {*others, *(module.digest for module in modules)}
        for number in self._changed:
            share = self._share(number)
            self._shares[number] = {text: share[text] for text in share.keys() & wanted}
            self._store.save(_KIND, self._key_of(number), self._shares[number])
        self._changed.clear()


def digest_of(document: Document) -> bytes:
    """Of what parsers get; notebooks and files with a mark for their byte order count by that, too."""
    return digest(document.code.encode("utf-8", "surrogatepass"))


def _state_of_libcst() -> States:
    """What changes when another libcst is installed; it is not imported for that."""
    spec = find_spec("libcst")
    return (state_of_file(spec.origin),) if spec is not None and spec.origin is not None else ()
