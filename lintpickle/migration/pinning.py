"""What pins fork, as `pins.toml` lists it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

from lintpickle.toml_text import read_toml


class Pinning(Struct, frozen=True):
    """The words of code and settings that ask for fork: see `pins.toml`."""

    calls: dict[str, str]
    keywords: dict[str, str]
    values: dict[str, tuple[str, ...]]
    classes: tuple[str, ...]
    endings: tuple[str, ...]
    options: dict[str, str]

    def is_variable(self, name: str, value: str) -> bool:
        """Whether an environment variable with that value asks for fork."""
        return value == "fork" and name.upper().endswith(self.endings)

    @property
    def words(self) -> re.Pattern[str]:
        """Finds the words without one of which there is no pin."""
        known = ("fork", *self.classes, *(each for group in self.values.values() for each in group))
        return re.compile("|".join(map(re.escape, known)))


@cache
def pinning() -> Pinning:
    """The table, read once."""
    table = read_toml(Path(__file__).with_name("pins.toml").read_text(encoding="utf-8"))
    return Pinning(
        calls=table["calls"],
        keywords=table["keywords"],
        values={name: tuple(values) for name, values in table["values"].items()},
        classes=tuple(table["names"]["classes"]),
        endings=tuple(table["environment"]["endings"]),
        options=table["options"],
    )
