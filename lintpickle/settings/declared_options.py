"""Every option as users see it, read from the fields of `Settings`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import Struct

from lintpickle.diagnostics import StartMethod
from lintpickle.settings.kinds import OptionKind
from lintpickle.settings.model import Settings


class Option(Struct, frozen=True):
    """An option as users see it. `name` is its TOML key; `default` is its default as a JSON value."""

    name: str
    attribute: str
    kind: OptionKind
    default: Any
    doc: str
    example: str

    @property
    def summary(self) -> str:
        """The first sentence of the documentation."""
        return self.doc.partition(". ")[0].removesuffix(".") + "."


@cache
def options() -> tuple[Option, ...]:
    """Every option, in the order in which `Settings` declares them."""
    found = []
    for item in dataclasses.fields(Settings):
        if "doc" not in item.metadata:
            continue
        default = item.default if item.default is not dataclasses.MISSING else {}
        found.append(
            Option(
                name=item.name.replace("_", "-"),
                attribute=item.name,
                kind=item.metadata["kind"],
                default=json_value(default),
                doc=item.metadata["doc"],
                example=item.metadata["example"],
            )
        )
    return tuple(found)


def json_value(value: Any) -> Any:
    """A value of `Settings` as JSON knows it: lists, tables, strings, booleans, None."""
    if isinstance(value, StartMethod):
        return value.value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {key: json_value(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [json_value(item) for item in value]
    return value
