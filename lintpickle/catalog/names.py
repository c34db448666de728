"""A table of dotted names in which the last component may be a wildcard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class CatalogNames(Generic[T]):
    """A mapping from dotted names. Exact names take precedence over wildcards, earlier entries over later ones.

    `a.b.*` stands for the names directly in a.b, `a.b.Pre*` for those of them with that prefix, `a.b.**` for every name
    below a.b, `a.b.**Post` for every one with that ending.
    """

    def __init__(self) -> None:
        self._exact: dict[str, T] = {}
        self._wild: dict[str, list[tuple[str, bool, str, str, T]]] = {}

    def add(self, name: str, value: T) -> None:
        """Add a name; an existing entry is not changed."""
        module, _, last = name.rpartition(".")
        if "*" not in last:
            self._exact.setdefault(name, value)
            return
        begins, _, ends = last.partition("*")
        deep = ends.startswith("*")
        self._wild.setdefault(name.partition(".")[0], []).append((f"{module}.", deep, begins, ends.lstrip("*"), value))

    def collect(self, name: str, empty: T) -> T:
        """The value of exactly this name, entered as `empty` if it is new."""
        if "*" in name:
            self.add(name, empty)
            return empty
        return self._exact.setdefault(name, empty)

    def get(self, path: str) -> T | None:
        """The value of a name, by an exact entry or a wildcard."""
        found = self._exact.get(path)
        if found is not None:
            return found
        for module, deep, begins, ends, value in self._wild.get(path.partition(".")[0], ()):
            if not path.startswith(module):
                continue
            rest = path[len(module) :]
            last = rest.rpartition(".")[2]
            if (deep or rest == last) and last.startswith(begins) and last.endswith(ends):
                return value
        return None

    def __contains__(self, name: str) -> bool:
        """Whether the name has an exact entry."""
        return name in self._exact

    def names(self, wanted: Callable[[T], bool]) -> set[str]:
        """The names, but for wildcards, whose values are wanted."""
        return {name for name, value in self._exact.items() if wanted(value)}

    def words(self, wanted: Callable[[T], bool] = lambda _: True) -> set[str]:
        """The last identifier of every name whose value is wanted; of a wildcard, the last one that is written out."""
        words = {name.rpartition(".")[2] for name, value in self._exact.items() if wanted(value)}
        for entries in self._wild.values():
            words.update(module[:-1].rpartition(".")[2] for module, *_, value in entries if wanted(value))
        return words

    def parents(self) -> set[str]:
        """Every dotted prefix of an entered name: its module, and the packages around it."""
        found: set[str] = set()
        modules = [name.rpartition(".")[0] for name in self._exact]
        modules += [module[:-1] for entries in self._wild.values() for module, *_ in entries]
        for parent in modules:
            while parent and parent not in found:
                found.add(parent)
                parent = parent.rpartition(".")[0]
        return found
