"""`lintpickle rule`: the pages of the rule book, in the terminal."""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING, Any

import click

from lintpickle.commands._options import complete_rule

if TYPE_CHECKING:
    from lintpickle.rulebook.summaries import RuleInfo


@click.command(short_help="Explain a rule, or list all rules.")
@click.argument("rule", required=False, metavar="[CODE|PREFIX|NAME]", shell_complete=complete_rule)
@click.option("--all", "every", is_flag=True, help="Show all rules.")
@click.option("--full", is_flag=True, help="Show whole pages: with proofs, known gaps and all examples.")
@click.option(
    "--output-format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The output format.",
)
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colours.",
)
def command(rule: str | None, every: bool, full: bool, output_format: str, color: str) -> None:
    """Show what a rule finds, why it breaks and what to do about it.

    With the beginning of a code (LP1), list the rules of that family; without a rule, list all.
    """
    from lintpickle.commands._output import page_width, paged, write_report
    from lintpickle.commands._rule_text import family_heading, rule_json, rule_page, rule_table
    from lintpickle.report.common import to_json
    from lintpickle.rulebook.summaries import rule_infos
    from lintpickle.terminal import Style, wants_color

    if rule is not None and every:
        raise click.UsageError("name a rule or pass --all, not both")
    infos = rule_infos()
    chosen = list(infos.values()) if rule is None else _find(rule, list(infos.values()))
    is_one = rule is not None and not _is_prefix(rule)
    if output_format == "json":
        value: Any = [rule_json(info) for info in chosen]
        write_report(to_json(value[0] if is_one else value), None, human=False)
        return
    style = Style(wants_color(color, sys.stdout, os.environ))
    if is_one or every or full:
        width = page_width()
        text = "\n\n".join(rule_page(info, style, width, full=full) for info in chosen)
    else:
        text = family_heading(rule.strip().upper() if rule else "", style) + rule_table(chosen, style)
    paged(text, color=style.color)


def _is_prefix(rule: str) -> bool:
    return re.fullmatch(r"LP[0-9]{0,2}", rule.strip().upper()) is not None


def _find(rule: str, infos: list[RuleInfo]) -> list[RuleInfo]:
    """The rule with a code or name, or those whose codes begin with a prefix. Raises `UsageError`."""
    import difflib

    from lintpickle.selection import is_foreign_code

    wanted = rule.strip().lower()
    if is_foreign_code(rule):
        raise click.UsageError(f"Unknown rule '{rule}'. It is a code of another linter; `lintpickle rule` lists ours.")
    found = [info for info in infos if wanted in (info.code.lower(), info.name)]
    if _is_prefix(rule):
        found = [info for info in infos if info.code.lower().startswith(wanted)]
    if found:
        return found
    if _is_prefix(rule):
        raise click.UsageError(f"No code of a rule begins with '{rule}'. `lintpickle rule` lists the rules.")
    known = [word for info in infos for word in (info.code.lower(), info.name)]
    near = difflib.get_close_matches(wanted, known, n=1)
    word = next((info.code for info in infos if near and info.code.lower() == near[0]), near[0] if near else "")
    hint = f"Did you mean '{word}'?" if near else "`lintpickle rule` lists the rules."
    raise click.UsageError(f"Unknown rule '{rule}'. {hint}")
