"""The JSON schema of the settings, as validate-pyproject asks for it (entry point `validate_pyproject.tool_schema`)."""

from __future__ import annotations

from typing import Any

from lintpickle.settings.schema import json_schema

__all__ = ["get_schema"]


def get_schema(tool_name: str = "lintpickle") -> dict[str, Any]:
    """The schema (draft-07) of `[tool.lintpickle]`, whatever the name that is asked for."""
    return json_schema()
