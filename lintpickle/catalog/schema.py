"""The JSON schema (draft-07) of catalog files, derived from what the reader checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lintpickle.addresses import CATALOG_SCHEMA
from lintpickle.catalog.file_format import BUILT_IN_ONLY, KINDS_OF, REQUIRED, SCHEMA
from lintpickle.catalog.reading import builtin_rows
from lintpickle.diagnostics import StartMethod

_TEXT = {"type": "string", "minLength": 1}
_VERSION = {"type": "string", "pattern": r"^[0-9]{1,3}\.[0-9]{1,3}$"}
_TYPES: Mapping[str, dict[str, Any]] = {
    "text": _TEXT,
    "flag": {"type": "boolean"},
    "count": {"type": "integer", "minimum": 0},
    "names": {"anyOf": [_TEXT, {"type": "array", "items": {"type": "string"}}]},
    "version": _VERSION,
    "versions": {"type": "array", "items": _VERSION},
    "table": {"type": "object", "additionalProperties": {"type": "string"}},
    "wordings": {
        "type": "object",
        "propertyNames": {"pattern": _VERSION["pattern"]},
        "additionalProperties": {"type": "string"},
    },
    "pattern": {"type": "string", "format": "regex"},
    "patterns": {"type": "array", "items": {"type": "string", "format": "regex"}},
}


def catalog_schema() -> dict[str, Any]:
    """The schema of a catalog file. Kinds are suggestions in it (`examples`), because a file may have its own."""
    kinds = known_kinds()
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": CATALOG_SCHEMA,
        "title": "lintpickle catalog",
        "description": "What third-party calls return, and where objects cross a process boundary.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            table: {"type": "array", "items": _row(table, kinds)} for table in SCHEMA if table not in BUILT_IN_ONLY
        },
    }


def known_kinds() -> Mapping[str, tuple[str, ...]]:
    """The kinds of the shipped catalog, of "product", "class" and "boundary"."""
    found: dict[str, set[str]] = {}
    for row in builtin_rows():
        if row.table in KINDS_OF:
            found.setdefault(KINDS_OF[row.table], set()).update(row.names("kind"))
    return {sort: tuple(sorted(names)) for sort, names in found.items()}


def _row(table: str, kinds: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    properties = {key: _value(table, key, rule) for key, rule in SCHEMA[table].items()}
    if table in KINDS_OF:
        properties["kind"] = {**properties["kind"], "examples": list(kinds[KINDS_OF[table]])}
    row: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": properties}
    if REQUIRED[table]:
        row["required"] = list(REQUIRED[table])
    if table in ("product", "method"):
        row["anyOf"] = [{"required": ["kind"]}, {"required": ["fine"], "properties": {"fine": {"const": True}}}]
    return row


def _value(table: str, key: str, rule: str) -> dict[str, Any]:
    if (table, key) == ("boundary", "start-methods"):
        return {"type": "array", "items": {"enum": [method.value for method in StartMethod]}}
    return _TYPES[rule] if rule in _TYPES else {"enum": rule.split("|")}
