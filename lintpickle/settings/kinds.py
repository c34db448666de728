"""The kinds of value that an option can have: each checks a TOML value and gives its JSON schema."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from lintpickle.diagnostics import LintpickleError
from lintpickle.pythons import read_pythons

Schema = dict[str, Any]

SELECTOR_PATTERN = r"^(ALL|LP[0-9]{0,3}|[a-z][a-z0-9]*(-[a-z0-9]+)*)$"

_MOST_MEGABYTES = 200
_DAY = 86_400


class Invalid(LintpickleError):
    """A value does not fit its option. The message says why; the caller adds where."""


class OptionKind(Protocol):
    """The form of an option's values in TOML and in `Settings`."""

    @property
    def label(self) -> str:
        """The type in words, as "list of strings"."""

    def read(self, value: object, base: Path) -> Any:
        """The value for `Settings` of a TOML value. Relative paths are joined to `base`. Raises `Invalid`."""

    def schema(self) -> Schema:
        """The JSON schema (draft-07) of the TOML value."""


def suggestion(word: str, known: Sequence[str]) -> str:
    """` Did you mean "x"?` for the nearest known word, or an empty string."""
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f' Did you mean "{near[0]}"?' if near else ""


def toml_type(value: object) -> str:
    """The type of a TOML value, in words."""
    names = {
        bool: "a boolean",
        int: "an integer",
        float: "a float",
        str: "a string",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), type(value).__name__)


class Boolean(Struct, frozen=True):
    label: str = "boolean"

    def read(self, value: object, base: Path) -> bool:
        if not isinstance(value, bool):
            raise Invalid(f"expected true or false, got {toml_type(value)}")
        return value

    def schema(self) -> Schema:
        return {"type": "boolean"}


class Megabytes(Struct, frozen=True):
    """A size in whole megabytes. It is limited, because what is read has to fit into memory several times."""

    label: str = "number of megabytes"
    most: int = _MOST_MEGABYTES

    def read(self, value: object, base: Path) -> int:
        return _whole(value, self.most)

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": 1, "maximum": self.most}


class Seconds(Struct, frozen=True):
    """A time in whole seconds, a day at most."""

    label: str = "number of seconds"

    def read(self, value: object, base: Path) -> int:
        return _whole(value, _DAY)

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": 1, "maximum": _DAY}


def _whole(value: object, most: int) -> int:
    """A whole number from 1. Raises Invalid."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Invalid(f"expected a whole number, got {toml_type(value)}")
    if not 1 <= value <= most:
        raise Invalid(f"expected a number from 1 to {most}")
    return value


class TextList(Struct, frozen=True):
    """A list of strings. With `pattern`, its items have to match."""

    label: str = "list of strings"
    pattern: str | None = None

    def read(self, value: object, base: Path) -> tuple[str, ...]:
        if not isinstance(value, (list, tuple)):
            raise Invalid(f"expected a list of strings, got {toml_type(value)}")
        for item in value:
            if not isinstance(item, str):
                raise Invalid(f"expected a list of strings, but it holds {toml_type(item)}: {item!r}")
        return tuple(value)

    def schema(self) -> Schema:
        items: Schema = {"type": "string"}
        if self.pattern:
            items["pattern"] = self.pattern
        return {"type": "array", "items": items}


class OneOf(Struct, frozen=True):
    """One of several words. `known` is called only when needed, so that its source is not imported at start."""

    known: Callable[[], Sequence[str]]

    @property
    def label(self) -> str:
        return "one of " + ", ".join(f'"{word}"' for word in self.known())

    def read(self, value: object, base: Path) -> str:
        if not isinstance(value, str):
            raise Invalid(f"expected a string, got {toml_type(value)}")
        if value not in self.known():
            raise Invalid(f'"{value}" is not {self.label}.{suggestion(value, self.known())}')
        return value

    def schema(self) -> Schema:
        return {"type": "string", "enum": list(self.known())}


class ChoiceList(Struct, frozen=True):
    """A list, not empty, of several words, turned into members of an enumeration (or what `member` makes)."""

    known: Sequence[str]
    member: Callable[[str], object]

    @property
    def label(self) -> str:
        return "list of " + ", ".join(f'"{word}"' for word in self.known)

    def read(self, value: object, base: Path) -> tuple[object, ...]:
        words = TextList().read(value, base)
        if not words:
            raise Invalid(f"the list is empty; expected a {self.label}")
        for word in words:
            if word not in self.known:
                allowed = ", ".join(f'"{known}"' for known in self.known)
                raise Invalid(f'"{word}" is not one of {allowed}.{suggestion(word, self.known)}')
        return tuple(self.member(word) for word in self.known if word in words)

    def schema(self) -> Schema:
        items = {"type": "string", "enum": list(self.known)}
        return {"type": "array", "items": items, "minItems": 1, "uniqueItems": True}


class PathValue(Struct, frozen=True):
    label: str = "path"

    def read(self, value: object, base: Path) -> Path:
        if not isinstance(value, (str, Path)):
            raise Invalid(f"expected a path as a string, got {toml_type(value)}")
        if not str(value):
            raise Invalid("expected a path, got an empty string")
        if "\0" in str(value):
            raise Invalid("expected a path, got one with a NUL character")
        return base / os.path.expanduser(value)

    def schema(self) -> Schema:
        return {"type": "string", "minLength": 1}


class PathList(Struct, frozen=True):
    label: str = "list of paths"

    def read(self, value: object, base: Path) -> tuple[Path, ...]:
        if not isinstance(value, (list, tuple)):
            raise Invalid(f"expected a list of paths, got {toml_type(value)}")
        return tuple(PathValue().read(item, base) for item in value)

    def schema(self) -> Schema:
        return {"type": "array", "items": PathValue().schema()}


class GlobTable(Struct, frozen=True):
    """A table from glob to list of strings."""

    label: str = "table from glob to list of strings"
    pattern: str | None = None

    def read(self, value: object, base: Path) -> dict[str, tuple[str, ...]]:
        if not isinstance(value, dict):
            raise Invalid(f"expected a table from glob to list of strings, got {toml_type(value)}")
        table = {}
        for glob, items in value.items():
            try:
                table[str(glob)] = TextList().read(items, base)
            except Invalid as error:
                raise Invalid(f'at "{glob}": {error}') from None
        return table

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": TextList(pattern=self.pattern).schema()}


class PythonRange(Struct, frozen=True):
    """The oldest Python ("3.12", or "py312" as other tools write it), or a range of them (">=3.10,<3.13")."""

    label: str = 'Python version or range, as "3.12" or ">=3.10,<3.13"'

    def read(self, value: object, base: Path) -> str:
        if not isinstance(value, str):
            raise Invalid(f'expected a Python version as a string, as "3.12", got {toml_type(value)}')
        if read_pythons(value) is None:
            raise Invalid(f'"{value}" is not a Python version or range, as "3.12" or ">=3.10,<3.13"')
        return re.sub(r"py3\.?", "3.", value)

    def schema(self) -> Schema:
        clause = r" *(~=|={2,3}|!=|<=|>=|<|>) *[0-9]+(\.[0-9]+)*(\.\*)? *"
        return {"type": "string", "pattern": rf"^(py3[0-9]{{1,2}}|3\.[0-9]{{1,2}}|{clause}(,{clause})*)$"}
