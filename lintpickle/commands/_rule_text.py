"""Rules as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lintpickle.commands._markdown import rendered
from lintpickle.diagnostics import Applicability
from lintpickle.rulebook.pages import page_for
from lintpickle.rulebook.short import Section, short_sections
from lintpickle.rulebook.summaries import FAMILIES, RuleInfo
from lintpickle.terminal import Style

_FIXES = {
    None: "no fix",
    Applicability.SAFE: "safe fix",
    Applicability.UNSAFE: "unsafe fix",
    Applicability.DISPLAY: "fix is shown only",
}


def rule_json(info: RuleInfo) -> dict[str, Any]:
    """A rule as a JSON value."""
    return {
        "code": info.code,
        "name": info.name,
        "summary": info.summary,
        "severity": info.severity.value,
        "start_methods": [method.value for method in info.start_methods],
        "fix": info.applicability.value if info.applicability else None,
        "since": info.since,
        "default": info.default,
        "url": info.url,
        "explanation": info.explanation,
    }


def rule_table(infos: Sequence[RuleInfo], style: Style) -> str:
    """One line for each rule: code, name, summary."""
    width = max((len(info.name) for info in infos), default=0)
    return "".join(
        f"{style.bold(info.code)}  {style.accent(f'{info.name:<{width}}')}  {info.summary}\n" for info in infos
    )


def family_heading(prefix: str, style: Style) -> str:
    """What the rules have in common whose codes begin with a prefix; empty if nothing is known."""
    title = FAMILIES.get(prefix)
    return "" if title is None else f"{style.heading(f'{prefix}xx: {title}')}\n\n"


def rule_page(info: RuleInfo, style: Style, width: int, *, full: bool) -> str:
    """A rule in at most `width` columns: a line of facts, then its page at a glance, or all of it."""
    facts = [
        info.severity.value,
        "under " + ", ".join(method.value for method in info.start_methods) if info.start_methods else "",
        _FIXES[info.applicability],
        f"since {info.since}",
        "" if info.default else "off by default",
    ]
    head = f"{style.bold(info.code)} {style.heading(info.name)}\n{style.dim(', '.join(filter(None, facts)))}\n\n"
    if info.explanation is None:
        return f"{head}{info.summary}\n"
    page = page_for(info.code)
    sections = tuple(Section(*each) for each in page.sections.items()) if full else short_sections(page)
    body = "\n\n".join(f"## {each.heading}\n\n{each.text}" for each in sections)
    more = "" if full else f"\n`lintpickle rule {info.code} --full` shows all: proofs, known gaps, more examples.\n"
    tail = rendered(f"{info.url}\n{more}", style, width)
    return f"{head}{rendered(body, style, width)}\n{tail}"
