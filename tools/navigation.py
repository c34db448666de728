"""Writes the rules into the navigation of the site, so that the sidebar shows where a rule page belongs."""

from __future__ import annotations

import re
from pathlib import Path

from lintpickle.rulebook.summaries import FAMILIES
from lintpickle.rules import all_rules

ROOT = Path(__file__).resolve().parent.parent
PATH = ROOT / "mkdocs.yml"
RULES = re.compile(r"(  # rules:start\n).*?(  # rules:end\n)", re.DOTALL)


def navigation() -> dict[Path, str]:
    """The settings of the site with all rules in their navigation, by their path."""
    lines = ["  - Rules:", "      - All rules: rules/index.md"]
    for family, title in FAMILIES.items():
        members = [rule for rule in all_rules() if rule.code.startswith(family)]
        if members:
            lines.append(f'      - "{family}: {title}":')
            lines += [f"          - {rule.code} {rule.name}: rules/{rule.code}-{rule.name}.md" for rule in members]
    text, count = RULES.subn(
        lambda match: match[1] + "\n".join(lines) + "\n" + match[2], PATH.read_text(encoding="utf-8")
    )
    if count != 1:
        raise ValueError(f"{PATH.name} has {count} places for the rules, not one")
    return {PATH: text}
