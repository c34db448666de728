"""Aliases: the other names that a name of the catalog has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from lintpickle.catalog.rows import Row
from lintpickle.diagnostics import LintpickleError
from lintpickle.input_limits import CATALOG_ALIASES


def forms(path: str, aliases: Mapping[str, str]) -> Iterator[str]:
    """The name itself, then its aliases: `torch.multiprocessing.Lock`, then `multiprocessing.Lock`."""
    found = {path}
    yield path
    prefix = path
    while prefix:
        target = aliases.get(prefix)
        if target is None:
            prefix = prefix.rpartition(".")[0]
            continue
        path = prefix = target + path[len(prefix) :]
        if path in found:
            return  # aliases of a project's own catalog that lead back to themselves
        found.add(path)
        yield path


def check_aliases(rows: Iterable[Row], aliases: Mapping[str, str]) -> None:
    """Raises LintpickleError, naming the row, if more names follow one of the rows' names than are read."""
    for row in rows:
        for name in row.names("name"):
            if any(islice(forms(name, aliases), CATALOG_ALIASES.most, None)):
                raise LintpickleError(
                    f"{row.file}: [[alias]] {row.number}: more than {CATALOG_ALIASES.most} names follow `{name}`"
                )
