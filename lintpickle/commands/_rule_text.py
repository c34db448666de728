"""Rules as text and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lintpickle.diagnostics import Applicability
from lintpickle.rulebook.summaries import RuleInfo
from lintpickle.terminal import Style

_FIXES = {
    None: "no fix",
    Applicability.SAFE: "safe fix",
    Applicability.UNSAFE: "unsafe fix",
    Applicability.DISPLAY: "fix is shown only",
}
_HEADING = re.compile(r"#{1,6} ")
_FENCE = re.compile(r"\s*(```|~~~)")
_INLINE = re.compile(r"`[^`]+`")


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


def rule_page(info: RuleInfo, style: Style) -> str:
    """The page of a rule: a line of facts, then its Markdown with headings emphasised."""
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
    lines = info.explanation.strip().split("\n")
    # What stands above the first section (title, fix) is in the line of facts already.
    start = next((row for row, line in enumerate(lines) if line.startswith("## ")), 0)
    lines = lines[start:]
    return head + "\n".join(_painted(lines, style)).strip("\n") + "\n"


def _painted(lines: Sequence[str], style: Style) -> Iterator[str]:
    in_code = False
    for line in lines:
        if _FENCE.match(line):
            in_code = not in_code
            yield style.dim(line)
        elif in_code:
            yield line
        elif _HEADING.match(line):
            yield style.heading(line.lstrip("# ") if style.color else line)
        else:
            yield _INLINE.sub(lambda match: style.accent(match[0]), line)
