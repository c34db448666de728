"""What is wrong with a row of a catalog file, in words for the person who wrote it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lintpickle.catalog.file_format import REQUIRED, SCHEMA, START_METHODS
from lintpickle.diagnostics import StartMethod

_VERSION = re.compile(r"[0-9]{1,3}\.[0-9]{1,3}")


def problem_with(table: str, values: Mapping[str, Any]) -> tuple[str | None, str] | None:
    """What is wrong with a row, and with which of its keys."""
    schema = SCHEMA[table]
    for key, value in values.items():
        if key not in schema:
            return key, f"unknown key '{key}'{meant(key, schema)}"
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
        wrong = next((name for name in values.get(START_METHODS, ()) if name not in known), None)
        if wrong is not None:
            return START_METHODS, f"'{START_METHODS}' knows {', '.join(sorted(known))}, not {wrong!r}"
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


def meant(word: str, known: Mapping[str, object]) -> str:
    """The end of a message about an unknown word: the known one that it resembles, or all of them."""
    from difflib import get_close_matches

    close = get_close_matches(word, known, n=1)
    return f"; did you mean '{close[0]}'?" if close else f"; known are {', '.join(known)}"
