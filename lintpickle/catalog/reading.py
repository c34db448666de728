"""Reads TOML into checked rows, with error messages for people who write their own files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lintpickle import disk
from lintpickle.catalog.file_format import BUILT_IN_ONLY, KINDS_OF, SCHEMA
from lintpickle.catalog.row_checks import meant, problem_with
from lintpickle.catalog.rows import Row
from lintpickle.diagnostics import LintpickleError
from lintpickle.input_limits import WORDINGS
from lintpickle.toml_text import BadToml, read_toml


def builtin_files() -> list[Path]:
    """The files of the catalog that ships with lintpickle."""
    return sorted(Path(__file__).parent.glob("*.toml"))


def builtin_rows() -> Iterator[Row]:
    """The rows of the catalog that ships with lintpickle."""
    for path in builtin_files():
        yield from read_rows(path)


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of one catalog file, checked.

    Raises LintpickleError naming the file, the line and the key when the file cannot be read, is not TOML, or has
    unknown tables, keys or values.
    """
    try:
        text = disk.text(path)
        data = read_toml(text)
    except (OSError, UnicodeDecodeError) as error:
        raise LintpickleError(f"{path}: cannot read this catalog file: {error}") from error
    except BadToml as error:
        place = f":{error.row}:{error.column}" if error.row is not None else ""
        raise LintpickleError(f"{path}{place}: not valid TOML: {error.reason}") from error
    for table, rows in data.items():
        if table not in SCHEMA:
            raise LintpickleError(f"{path}:{_line(text, table, 1)}: unknown table [[{table}]]{meant(table, SCHEMA)}")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise LintpickleError(f"{path}:{_line(text, table, 1)}: write [[{table}]], with two brackets")
        if table in BUILT_IN_ONLY and path.parent != Path(__file__).parent:
            raise LintpickleError(f"{path}:{_line(text, table, 1)}: [[{table}]] is for lintpickle's own catalog")
        if table == "wording" and len(rows) > WORDINGS.most:
            raise LintpickleError(f"{path}: more than {WORDINGS.most} [[wording]]")
        for number, values in enumerate(rows, start=1):
            problem = problem_with(table, values)
            if problem:
                raise _wrong(path, text, table, number, *problem)
            yield Row(table, values, str(path), number)


def check_kinds(rows: Sequence[Row], shipped: Iterable[Row]) -> None:
    """Check that the rows of a user's files name kinds that mean something: of products, classes or boundaries of the
    shipped catalog, or kinds for which the user's own rows say something (`of`, `[[worker]]`, `reduced`).

    Raises LintpickleError naming the file, the line and the key: no rule would ever report a kind with a typing error.
    """
    known: dict[str, set[str]] = {}
    for row in shipped:
        if row.table in KINDS_OF:
            known.setdefault(KINDS_OF[row.table], set()).update(row.names("kind"))
    own = {name for row in rows for name in row.names("of")}
    own.update(*(row.names("kind") for row in rows if row.table == "worker" or row.values.get("reduced")))
    for row in rows:
        sort = KINDS_OF.get(row.table)
        for kind in row.names("kind") if sort is not None else ():
            if kind not in known[sort or ""] and kind not in own:
                choices = dict.fromkeys(sorted(known[sort or ""]))
                problem = f"there is no kind of {sort} {kind!r}{meant(kind, choices)}"
                raise _wrong(Path(row.file), disk.text(Path(row.file)), row.table, row.number, "kind", problem)


def _wrong(path: Path, text: str, table: str, number: int, key: str | None, problem: str) -> LintpickleError:
    return LintpickleError(f"{path}:{_line(text, table, number, key)}: in [[{table}]]: {problem}")


def _line(text: str, table: str, number: int, key: str | None = None) -> int:
    """The 1-based line of a key in the number-th [[table]], or of the table; 1 if it is written in another way."""
    headers = list(re.finditer(rf"^\s*\[\[?\s*{re.escape(table)}\s*\]", text, re.MULTILINE))
    if number > len(headers):
        return 1
    start = headers[number - 1].end()
    if key is not None:
        following = re.compile(r"^\s*\[", re.MULTILINE).search(text, start)
        row = re.compile(rf"^[ \t]*([\"']?){re.escape(key)}\1[ \t]*[=.]", re.MULTILINE)
        found = row.search(text, start, following.start() if following is not None else len(text))
        start = found.end() if found is not None else start
    return text.count("\n", 0, start) + 1
