"""`lintpickle rule`: the pages of the rule book, in the terminal."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from lintpickle.commands._options import complete_rule

if TYPE_CHECKING:
    from lintpickle.rulebook.summaries import RuleInfo


@click.command(short_help="Explain a rule, or list all rules.")
@click.argument("rule", required=False, metavar="[CODE|NAME]", shell_complete=complete_rule)
@click.option("--all", "every", is_flag=True, help="Show the pages of all rules.")
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
def command(rule: str | None, every: bool, output_format: str, color: str) -> None:
    """Show what a rule finds, why it breaks and what to do; without a rule, list all rules."""
    from lintpickle.commands._output import write_report
    from lintpickle.commands._rule_text import rule_json, rule_page, rule_table
    from lintpickle.report.common import to_json
    from lintpickle.rulebook.summaries import rule_infos
    from lintpickle.terminal import Style, wants_color

    if rule is not None and every:
        raise click.UsageError("name a rule, or say --all, not both")
    infos = rule_infos()
    chosen = list(infos.values()) if rule is None else [_find(rule, list(infos.values()))]
    if output_format == "json":
        value: Any = [rule_json(info) for info in chosen]
        write_report(to_json(value[0] if rule is not None else value), None, human=False)
        return
    style = Style(wants_color(color, sys.stdout, os.environ))
    if rule is None and not every:
        text = rule_table(chosen, style)
    else:
        text = "\n".join(rule_page(info, style) for info in chosen)
    write_report(text, None, human=True)


def _find(rule: str, infos: list[RuleInfo]) -> RuleInfo:
    import difflib

    from lintpickle.selection import is_foreign_code

    wanted = rule.strip().lower()
    if is_foreign_code(rule):
        raise click.UsageError(f"Unknown rule '{rule}'. It is a code of another linter; `lintpickle rule` lists ours.")
    for info in infos:
        if wanted in (info.code.lower(), info.name):
            return info
    known = [word for info in infos for word in (info.code.lower(), info.name)]
    near = difflib.get_close_matches(wanted, known, n=1)
    word = next((info.code for info in infos if near and info.code.lower() == near[0]), near[0] if near else "")
    hint = f"Did you mean '{word}'?" if near else "`lintpickle rule` lists the rules."
    raise click.UsageError(f"Unknown rule '{rule}'. {hint}")
