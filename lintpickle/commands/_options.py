"""Options in named sections, lists split at commas, and completion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from lintpickle.settings import options

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class SectionOption(click.Option):
    """An option that `--help` lists under a heading."""

    def __init__(self, *args: Any, section: str = "Options", **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.section = section


class SectionCommand(click.Command):
    """A command whose `--help` lists options by section."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if isinstance(parameter, click.Option) and record is not None:
                sections.setdefault(getattr(parameter, "section", "Help"), []).append(record)
        for section, records in sections.items():
            with formatter.section(section):
                formatter.write_dl(records)


def option(*names: str, section: str, **attributes: Any) -> Decorator:
    """An option under a heading."""
    return click.option(*names, cls=SectionOption, section=section, **attributes)


def setting(*names: str, section: str, **attributes: Any) -> Decorator:
    """An option that overrides the setting of the same name, whose documentation it shows.

    Its value is None (or empty) unless it is given.
    """
    key = names[-1].split("/")[0].lstrip("-")
    summary = next(item.summary for item in options() if item.name == key)
    return option(*names, section=section, help=summary, default=None, **attributes)


def comma_list(ctx: click.Context, param: click.Parameter, value: Sequence[str] | None) -> list[str] | None:
    """All words of an option that may be repeated and whose values are split at commas; None if not given."""
    if not value:
        return None
    return [word.strip() for item in value for word in item.split(",") if word.strip()]


def glob_table(ctx: click.Context, param: click.Parameter, value: Sequence[str] | None) -> dict[str, list[str]] | None:
    """`GLOB:SELECTOR` pairs, split at commas, as a table; None if not given."""
    table: dict[str, list[str]] = {}
    for pair in comma_list(ctx, param, value) or ():
        glob, colon, selector = pair.rpartition(":")
        if not colon or not glob or not selector:
            raise click.BadParameter(f"expected GLOB:SELECTOR, got {pair!r}", ctx, param)
        table.setdefault(glob, []).append(selector)
    return table or None


def complete_rule(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Rule codes and names that begin with what was typed, or with its part behind the last comma."""
    from lintpickle.rules import all_rules
    from lintpickle.selection import selector_words

    done, comma, word = incomplete.rpartition(",")
    words = selector_words(all_rules())
    return [
        CompletionItem(done + comma + known, help=other)
        for known, other in words.items()
        if known.lower().startswith(word.lower())
    ]


def complete_format(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from lintpickle.report import format_names

    return [CompletionItem(name) for name in format_names() if name.startswith(incomplete)]
