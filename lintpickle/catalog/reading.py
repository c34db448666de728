"""Reads TOML into checked rows, with error messages for people who write their own files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from lintpickle import disk
from lintpickle.diagnostics import LintpickleError, StartMethod
from lintpickle.input_limits import WORDINGS
from lintpickle.toml_text import BadToml, read_toml

_PRODUCT = {
    "kind": "text",
    "type": "text",
    "error": "text",
    "error-at-start": "text",
    "errors": "wordings",
    "fails": "dumps|loads|worker",
    "cloudpickle": "flag",
    "dill": "flag",
    "reopen": "flag",
    "note": "text",
    "since": "version",
    "until": "version",
    "fine-on": "versions",
    "crosses": "names",
}
_CALL = {"call": "names", "module": "names"}
_NAME = {"name": "names", "module": "names"}
_START_METHODS = "start-methods"
_VERSION = re.compile(r"[0-9]{1,3}\.[0-9]{1,3}")

SCHEMA: Mapping[str, Mapping[str, str]] = {
    "product": {**_CALL, **_PRODUCT, "when": "table", "parameters": "names", "fine": "flag"},
    "method": {"of": "names", "name": "names", **_PRODUCT},
    "value": {**_NAME, **_PRODUCT},
    "view": {"of": "names", "name": "names", **_PRODUCT, "fine": "flag"},
    "function": {
        **_NAME,
        "of": "names",
        "result": "plain|consume|iterate|keep|default|copy|change|first|last|class|wrap|parts|element|self|store|read",
        "returns": "text",
        "drops": "names",
    },
    "class": {**_NAME, "kind": "text", "reduced": "flag"},
    "base": {"is": "names", "ends": "names", "except": "names", "kind": "text"},
    "decorator": {"name": "names", "module": "names", "kind": "text"},
    "decorated": {**_NAME, "begins": "names"},
    "worker": {"kind": "names", "method": "names"},
    "trainer": {"name": "names"},
    "boundary": {
        **_CALL,
        "of": "names",
        "kind": "text",
        "parameters": "names",
        "payload": "names",
        "functions": "names",
        "elements": "names",
        "receiver": "names",
        "given": "names",
        "workers": "text",
        "workers-default-zero": "flag",
        "context": "text",
        _START_METHODS: "names",
    },
    "alias": {"name": "names", "of": "text"},
    "wording": {"since": "version", "pattern": "pattern", "text": "text"},
    "threads": _NAME,
    "setting": {
        "what": "text",
        "by": "names",
        "methods": "names",
        "read": "names",
        "read-methods": "names",
        "own": "names",
        "unless": "names",
        "only": "spawn|forkserver",
        "word": "text",
        "seldom": "flag",
        "once": "names",
        "arguments": "count",
        "shown": "names",
        "given-by": "names",
    },
    "state": {
        "name": "names",
        "methods": "names",
        "functions": "names",
        "stores": "flag",
        "shared": "flag",
        "outcome": "text",
        "error": "text",
    },
    "fresh": {
        "name": "names",
        "what": "text",
        "seldom": "flag",
        "changes": "flag",
        "seeded": "flag",
        "having": "names",
        "after": "text",
    },
    "repeated": {
        "name": "names",
        "outcome": "text",
        "error": "text",
        "destroys": "flag",
        "quiet": "flag",
        "fresh": "flag",
        "unless": "names",
        "mode": "text",
        "having": "names",
        "lacking": "names",
    },
    "library": _NAME,
    "error": {
        "kind": "text",
        "pattern": "patterns",
        "means": "text",
        "next": "text",
        "rules": "names",
        "needs": "names",
        "symptom": "flag",
        "here": "text",
    },
    "frame": {"path": "names", "kind": "text"},
}
"""Table -> key -> what its value must be."""

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "product": ("call",),
    "method": ("of", "name"),
    "value": ("name", "kind"),
    "view": ("of", "name"),
    "function": ("name",),
    "class": ("name", "kind"),
    "base": ("kind",),
    "decorator": ("name", "kind"),
    "decorated": (),
    "worker": ("kind", "method"),
    "trainer": ("name",),
    "boundary": ("call", "kind", "parameters", "payload"),
    "alias": ("name", "of"),
    "wording": ("since", "pattern", "text"),
    "threads": ("name",),
    "setting": ("what", "by"),
    "state": ("name", "outcome"),
    "fresh": ("name", "what"),
    "repeated": ("name", "outcome"),
    "library": ("name",),
    "error": ("kind", "pattern", "means", "rules"),
    "frame": ("path", "kind"),
}
KINDS_OF: Mapping[str, str] = {
    "product": "product",
    "method": "product",
    "value": "product",
    "view": "product",
    "class": "class",
    "base": "class",
    "boundary": "boundary",
}
"""Table -> of what its `kind` is one."""
BUILT_IN_ONLY = frozenset({"error", "frame"})
"""Tables with regular expressions for long texts, which are accepted only from the shipped catalog."""


class Row(Struct, frozen=True):
    """One entry of a catalog file: its table ("product"), its keys, and its place."""

    table: str
    values: Mapping[str, Any]
    file: str
    number: int

    def names(self, key: str) -> tuple[str, ...]:
        """A key that holds one name or several, as several."""
        value = self.values.get(key, ())
        return (value,) if isinstance(value, str) else tuple(value)

    def paths(self, key: str) -> Iterator[str]:
        """The names of a key, each prefixed with each `module` of the row, if it has any."""
        names = self.names(key)
        modules = self.names("module")
        if not modules:
            yield from names
        for module in modules:
            for name in names:
                yield f"{module}.{name}"


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
            raise LintpickleError(f"{path}:{_line(text, table, 1)}: unknown table [[{table}]]{_meant(table, SCHEMA)}")
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise LintpickleError(f"{path}:{_line(text, table, 1)}: write [[{table}]], with two brackets")
        if table in BUILT_IN_ONLY and path.parent != Path(__file__).parent:
            raise LintpickleError(f"{path}:{_line(text, table, 1)}: [[{table}]] is for lintpickle's own catalog")
        if table == "wording" and len(rows) > WORDINGS.most:
            raise LintpickleError(f"{path}: more than {WORDINGS.most} [[wording]]")
        for number, values in enumerate(rows, start=1):
            problem = _problem(table, values)
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
                problem = f"there is no kind of {sort} {kind!r}{_meant(kind, choices)}"
                raise _wrong(Path(row.file), disk.text(Path(row.file)), row.table, row.number, "kind", problem)


def _wrong(path: Path, text: str, table: str, number: int, key: str | None, problem: str) -> LintpickleError:
    return LintpickleError(f"{path}:{_line(text, table, number, key)}: in [[{table}]]: {problem}")


def _problem(table: str, values: Mapping[str, Any]) -> tuple[str | None, str] | None:
    """What is wrong with a row, and with which of its keys."""
    schema = SCHEMA[table]
    for key, value in values.items():
        if key not in schema:
            return key, f"unknown key '{key}'{_meant(key, schema)}"
        wanted = _wanted(schema[key], value)
        if wanted:
            return key, f"'{key}' must be {wanted}, not {value!r}"
    for key in REQUIRED[table]:
        if key not in values:
            return None, f"'{key}' is missing"
    if table in ("product", "method") and "kind" not in values and not values.get("fine"):
        return None, "'kind' is missing"
    if table == "wording" and not _fits(values["pattern"], values["text"]):
        return "text", f"'text' names a group that 'pattern' does not have: {values['text']!r}"
    if table == "boundary":
        known = {method.value for method in StartMethod}
        wrong = next((name for name in values.get(_START_METHODS, ()) if name not in known), None)
        if wrong is not None:
            return _START_METHODS, f"'{_START_METHODS}' knows {', '.join(sorted(known))}, not {wrong!r}"
    return None


def _wanted(rule: str, value: object) -> str | None:
    """A description of the expected value, if the value is wrong."""
    match rule:
        case "text":
            return None if isinstance(value, str) and value else "a non-empty string"
        case "flag":
            return None if isinstance(value, bool) else "true or false"
        case "count":
            is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
            return None if is_count else "a whole number"
        case "names":
            if isinstance(value, str) and value:
                return None
            good = isinstance(value, list) and all(isinstance(item, str) for item in value)
            return None if good else "a string or a list of strings"
        case "version":
            good = isinstance(value, str) and _VERSION.fullmatch(value) is not None
            return None if good else 'a Python version like "3.12"'
        case "versions":
            good = isinstance(value, list) and not any(_wanted("version", item) for item in value)
            return None if good else 'a list of Python versions like ["3.13"]'
        case "table":
            good = isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
            return None if good else "an inline table of strings"
        case "wordings":
            good = isinstance(value, dict) and all(
                isinstance(text, str) and _VERSION.fullmatch(version) for version, text in value.items()
            )
            return None if good else 'an inline table like { "3.12" = "the message" }'
        case "pattern":
            return None if _is_pattern(value) else "a regular expression"
        case "patterns":
            good = isinstance(value, list) and all(map(_is_pattern, value))
            return None if good else "a list of regular expressions"
        case choices:
            allowed = choices.split("|")
            return None if value in allowed else f"one of {', '.join(allowed)}"


def _is_pattern(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except re.error:
        return False


def _fits(pattern: str, template: str) -> bool:
    """Whether a template is a valid replacement for matches of the pattern."""
    try:
        re.sub(f"(?:{pattern})|", template, "", count=1)
    except (re.error, IndexError):
        return False
    return True


def _meant(word: str, known: Mapping[str, object]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(known)}"


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
