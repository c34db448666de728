"""What a run must know of every rule before it judges anything: loading the rules themselves takes longer than the rest
of a run in which nothing has to be judged.

The list beside this module is written by `tools.generate` from the rules, and a test compares the two.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from lintpickle.diagnostics import Severity

LIST = Path(__file__).with_name("known_rules.json")


class KnownRule(Struct, frozen=True, array_like=True):
    """A rule as selection, suppression comments and the engine's own diagnostics know it."""

    code: str
    name: str
    severity: Severity
    default: bool


@cache
def known_rules() -> dict[str, KnownRule]:
    """Every rule by its code, sorted."""
    return {rule.code: rule for rule in msgspec.json.decode(LIST.read_bytes(), type=list[KnownRule])}
