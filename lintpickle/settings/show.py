"""Settings written out as TOML, with where each was set."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lintpickle.settings.declared_options import json_value, options
from lintpickle.settings.model import Settings


def settings_toml(settings: Settings) -> str:
    """Every option with its value, as in a lintpickle.toml. Options without a value are comments."""
    return "".join(f"{line}\n" for line in _lines(settings))


def _lines(settings: Settings) -> Iterator[str]:
    yield f"# configuration: {settings.source or 'none, these are defaults'}"
    yield f"# globs are relative to: {settings.root}"
    yield ""
    tables = []
    for option in options():
        value = json_value(getattr(settings, option.attribute))
        origin = settings.origins.get(option.attribute)
        comment = f"  # from {origin}" if origin else ""
        if isinstance(value, dict):
            tables.append((option.name, value, comment))
        elif value is None:
            yield f"# {option.name} is not set"
        else:
            yield f"{option.name} = {_toml(value)}{comment}"
    for name, table, comment in tables:
        yield ""
        yield f"[{name}]{comment}"
        for key, value in table.items():
            yield f"{_toml(key)} = {_toml(value)}"


def _toml(value: object) -> str:
    """Strings, booleans and lists look the same in TOML and JSON, except for the character U+007F."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
