"""Descriptions of rules, from their classes and their pages in the rule book."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from msgspec import Struct

from lintpickle.addresses import SITE
from lintpickle.diagnostics import Applicability, Severity, StartMethod

FAMILIES = {
    "LP1": "State that does not pickle",
    "LP2": "What is handed across",
    "LP3": "Forks, threads, devices and random numbers in workers",
    "LP4": "DataLoader and Sampler wiring",
    "LP5": "What is written to and read from files",
    "LP6": "Pickling hooks",
    "LP9": "Files and comments",
}
"""What the rules are about whose codes begin alike."""


def rule_url(code: str, name: str) -> str:
    """The address of the page of a rule."""
    return f"{SITE}/rules/{code}-{name}/"


class RuleInfo(Struct, frozen=True):
    """A rule as users know it. `summary` is one line; `explanation` is its page in Markdown, or None."""

    code: str
    name: str
    summary: str
    severity: Severity
    start_methods: tuple[StartMethod, ...]
    applicability: Applicability | None
    since: str
    default: bool
    explanation: str | None

    @property
    def url(self) -> str:
        return rule_url(self.code, self.name)


@cache
def rule_infos() -> Mapping[str, RuleInfo]:
    """Every rule by code, sorted. Raises `LintpickleError` when a page is malformed."""
    from lintpickle.rulebook.pages import load_pages
    from lintpickle.rules import all_rules

    pages = {page.code: page for page in load_pages()}
    found = {}
    for rule in all_rules():
        page = pages.get(rule.code)
        docstring = (rule.__doc__ or "").strip().partition("\n")[0]
        found[rule.code] = RuleInfo(
            code=rule.code,
            name=rule.name,
            summary=docstring or (page.summary if page else rule.name),
            severity=rule.severity,
            start_methods=rule.start_methods,
            applicability=rule.applicability,
            since=rule.since,
            default=rule.default,
            explanation=page.text if page else None,
        )
    return MappingProxyType(found)
