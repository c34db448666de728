"""The JSON schema (draft-07) of the settings, derived from `Settings`."""

from __future__ import annotations

from typing import Any

from lintpickle.addresses import SETTINGS_SCHEMA
from lintpickle.settings.declared_options import options


def json_schema() -> dict[str, Any]:
    """The schema of `[tool.lintpickle]`, which is also that of a lintpickle.toml."""
    properties = {}
    for option in options():
        schema = {"title": option.name, "description": option.doc, **option.kind.schema()}
        if option.default is not None:
            schema["default"] = option.default
        properties[option.name] = schema
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": SETTINGS_SCHEMA,
        "title": "lintpickle",
        "description": "Settings of lintpickle: [tool.lintpickle] of pyproject.toml, or lintpickle.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }
