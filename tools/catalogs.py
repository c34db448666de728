"""Writes what is derived in docs/catalogs.md, and the JSON schema of catalog files."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lintpickle.catalog.schema import catalog_schema, known_kinds
from lintpickle.rules import all_rules

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "catalogs.md"
SCHEMA = ROOT / "docs" / "lintpickle-catalog.schema.json"
KINDS = re.compile(r"(<!-- kinds:start -->\n).*?(<!-- kinds:end -->)", re.DOTALL)


def catalogs() -> dict[Path, str]:
    """The page with its table of kinds, and the schema, by their paths."""
    text = KINDS.sub(lambda match: f"{match[1]}\n{kinds_table()}\n{match[2]}", PAGE.read_text(encoding="utf-8"))
    return {PAGE: text, SCHEMA: json.dumps(catalog_schema(), indent=2, ensure_ascii=False) + "\n"}


def kinds_table() -> str:
    """The kinds of products by the rule that reports them, then those of classes and boundaries."""
    kinds = known_kinds()
    rows = ["| rule | kinds of products |", "| --- | --- |"]
    for rule in all_rules():
        reported = sorted(set(getattr(rule, "kinds", ())) & set(kinds["product"]))
        if reported:
            rows.append(f"| [{rule.code}](rules/{rule.code}-{rule.name}.md) | {_listed(reported)} |")
    return "\n".join(
        [
            *rows,
            "",
            f"Kinds of classes: {_listed(kinds['class'])}.",
            "",
            f"Kinds of boundaries: {_listed(kinds['boundary'])}.",
            "",
        ]
    )


def _listed(names: tuple[str, ...] | list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
