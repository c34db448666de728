"""What a run must know of every rule before it judges anything: loading the rules themselves takes longer than the rest
of a run in which nothing has to be judged.

The list beside this module is written by `tools.generate` from the rules, and a test compares the two.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from lintpickle.cache.ourselves import IS_INSTALLED, PACKAGE
from lintpickle.diagnostics import Severity

_NO_RULES = {"__init__", "authoring", "base"}
LIST = Path(__file__).with_name("known_rules.json")


class KnownRule(Struct, frozen=True, array_like=True):
    """A rule as selection, suppression comments and the engine's own diagnostics know it."""

    code: str
    name: str
    severity: Severity
    default: bool


@cache
def known_rules() -> dict[str, KnownRule]:
    """Every rule by its code, sorted. In a checkout in which a rule was added or taken away since the list was written,
    the rules themselves are asked."""
    listed = msgspec.json.decode(LIST.read_bytes(), type=list[KnownRule])
    if not IS_INSTALLED and {rule.name.replace("-", "_") for rule in listed} != _modules():
        from lintpickle.rules import all_rules

        listed = [KnownRule(rule.code, rule.name, rule.severity, rule.default) for rule in all_rules()]
    return {rule.code: rule for rule in listed}


@cache
def codes_by_name() -> dict[str, str]:
    """The code of every rule by its name."""
    return {rule.name: rule.code for rule in known_rules().values()}


def _modules() -> set[str]:
    names = os.listdir(os.path.join(PACKAGE, "rules"))
    return {name[:-3] for name in names if name.endswith(".py")} - _NO_RULES
