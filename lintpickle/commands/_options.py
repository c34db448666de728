"""Options in named sections, lists split at commas, and completion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import click
from click.shell_completion import CompletionItem

from lintpickle.settings import options
from lintpickle.settings.kinds import OneOf

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class SectionOption(click.Option):
    """An option that `--help` lists under a heading.

    With `equals_only`, a value is given as `--name=VALUE` only, and `--name` alone gives an empty one. `values` gives
    the words that it takes, for help and completion; it is called only when needed, so that its source is not imported
    at start.
    """

    def __init__(
        self,
        *args: Any,
        section: str = "Options",
        equals_only: bool = False,
        values: Callable[[], Sequence[str]] | None = None,
        **attributes: Any,
    ) -> None:
        super().__init__(*args, **attributes)
        self.section = section
        self.equals_only = equals_only
        self._values = values

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        if record is None:
            return None
        names, text = record
        if self._values is not None:
            text = f"{text}  [values: {', '.join(self._values())}]"
        return (names.replace(" [=", "[=") if self.equals_only else names), text

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        if self._values is None:
            return super().shell_complete(ctx, incomplete)
        return [CompletionItem(value) for value in self._values() if value.startswith(incomplete)]


class SectionCommand(click.Command):
    """A command whose `--help` lists options by section.

    `hints` names the alternatives to options that users of other tools try and that it does not have.
    """

    def __init__(self, *args: Any, hints: Mapping[str, str] = MappingProxyType({}), **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._hints = hints

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        bare = {name for item in self.params if getattr(item, "equals_only", False) for name in item.opts}
        end = args.index("--") if "--" in args else len(args)
        given = [f"{arg}=" if arg in bare else arg for arg in args[:end]] + args[end:]
        try:
            return super().parse_args(ctx, given)
        except click.NoSuchOption as error:
            if error.option_name not in self._hints:
                raise
            hint = self._hints[error.option_name]
            raise click.UsageError(f"No such option '{error.option_name}'. {hint}", ctx) from None

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
    found = next(item for item in options() if item.name == key)
    values = found.kind.known if isinstance(found.kind, OneOf) else None
    return option(*names, section=section, help=found.summary, default=None, values=values, **attributes)


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
    """Rule codes and names that begin with what was typed after the last comma."""
    from lintpickle.rulebook.known_rules import known_rules
    from lintpickle.selection import selector_words

    done, comma, word = incomplete.rpartition(",")
    words = selector_words(known_rules().values())
    return [
        CompletionItem(done + comma + known, help=other)
        for known, other in words.items()
        if known.lower().startswith(word.lower())
    ]
