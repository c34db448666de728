"""`lintpickle check`: options; what they do stands in `_checking`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from lintpickle.commands._options import (
    SectionCommand,
    comma_list,
    complete_rule,
    glob_table,
    option,
    setting,
)

_FIXES = "Fixes"
_ADOPTION = "Adoption"
_RULES = "Rules"
_FILES = "Files"
_OUTPUT = "Output"
_CONFIG = "Configuration"
_PROGRAM = "Program"
_CACHE = "Cache"

_selectors: dict[str, Any] = {
    "multiple": True,
    "callback": comma_list,
    "metavar": "SELECTORS",
    "shell_complete": complete_rule,
}
_globs: dict[str, Any] = {"multiple": True, "callback": comma_list, "metavar": "GLOBS"}


_HINTS = {
    "-n": "-j sets the number of processes; --no-cache turns the cache off.",
}


@click.command(cls=SectionCommand, hints=_HINTS, short_help="Check files and folders, and fix them if asked.")
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@option("--fix/--no-fix", section=_FIXES, default=False, help="Apply fixes to the files.")
@setting("--unsafe-fixes/--no-unsafe-fixes", section=_FIXES)
@option("--diff", section=_FIXES, is_flag=True, help="Print what --fix would change as a diff, and change nothing.")
@option("--show-fixes", section=_FIXES, is_flag=True, help="Show the fix of each finding, or list what was fixed.")
@option("--fix-only", section=_FIXES, is_flag=True, help="Apply fixes, and do not report the remaining findings.")
@option(
    "--add-ignore",
    section=_ADOPTION,
    metavar="[=REASON]",
    equals_only=True,
    help="Write suppression comments for all findings, and report what is left.",
)
@option(
    "--baseline",
    section=_ADOPTION,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Report only what is not in this baseline.",
)
@option(
    "--write-baseline",
    section=_ADOPTION,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Accept all findings: write them to this baseline.",
)
@setting("--select", section=_RULES, **_selectors)
@setting("--ignore", section=_RULES, **_selectors)
@setting("--extend-select", section=_RULES, **_selectors)
@setting("--extend-ignore", section=_RULES, **_selectors)
@setting("--per-file-ignores", section=_RULES, multiple=True, callback=glob_table, metavar="GLOB:SELECTOR,...")
@setting("--pedantic/--no-pedantic", section=_RULES)
@setting("--library/--no-library", section=_RULES)
@setting("--exclude", section=_FILES, **_globs)
@setting("--extend-exclude", section=_FILES, **_globs)
@setting("--force-exclude/--no-force-exclude", section=_FILES)
@setting("--respect-gitignore/--no-respect-gitignore", section=_FILES)
@option(
    "--stdin-filename",
    section=_FILES,
    metavar="PATH",
    help="The file name for standard input (-).",
)
@setting("--python", section=_PROGRAM, metavar="PATH")
@setting("--target-version", section=_PROGRAM, metavar="VERSION|RANGE")
@option(
    "-j",
    "--jobs",
    section=_PROGRAM,
    type=click.IntRange(min=1),
    metavar="N",
    help="The maximum number of worker processes (by default, chosen by the size of the project).",
)
@setting(
    "--output-format",
    section=_OUTPUT,
    metavar="FORMAT",
    envvar="LINTPICKLE_OUTPUT_FORMAT",
)
@option(
    "-o",
    "--output-file",
    section=_OUTPUT,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to a file.",
)
@option("--statistics", section=_OUTPUT, is_flag=True, help="Count findings by rule.")
@option("--watch", section=_OUTPUT, is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@option("--show-files", section=_OUTPUT, is_flag=True, help="List the files that would be checked.")
@option("--show-settings", section=_OUTPUT, is_flag=True, help="Show the settings that apply to the first path.")
@option("-q", "--quiet", section=_OUTPUT, is_flag=True, help="Print one line for each finding, and nothing else.")
@option(
    "-v",
    "--verbose",
    section=_OUTPUT,
    is_flag=True,
    help="Also say which settings and cache were used, which limits were reached, and how long it took.",
)
@option("--profile", section=_OUTPUT, is_flag=True, help="Show on standard error where the run spent its time.")
@option(
    "--color",
    section=_OUTPUT,
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colours.",
)
@option("--exit-zero", section=_OUTPUT, is_flag=True, help="Exit with 0 even if there are findings.")
@option("--exit-non-zero-on-fix", section=_OUTPUT, is_flag=True, help="Exit with 1 if anything was fixed.")
@option(
    "--config",
    section=_CONFIG,
    multiple=True,
    metavar="FILE|TOML",
    help="A configuration file, or one setting as `key = value`.",
)
@option("--isolated", section=_CONFIG, is_flag=True, help="Read no configuration file.")
@option("--no-cache", section=_CACHE, is_flag=True, help="Neither read nor write the cache.")
@option(
    "--cache-dir",
    section=_CACHE,
    metavar="DIR",
    help="The folder of the cache. Other users must not be able to write to it.",
)
def command(paths: tuple[str, ...], **given: Any) -> None:
    """Check files and folders (by default the working folder; - is standard input).

    Exits with 0 if nothing is found, 1 if there are findings, and 2 for wrong usage, wrong settings or an internal
    error.
    """
    from lintpickle.cache.answers import AskedAnswer
    from lintpickle.commands._checking import check_files
    from lintpickle.commands._request import Request, refuse_contradictions

    if given["verbose"] and given["quiet"]:
        raise click.UsageError("--verbose and --quiet exclude each other")
    if "-" in paths and len(paths) > 1:
        raise click.UsageError("standard input (-) cannot be checked together with other paths")
    request = Request.of(paths, given)
    refuse_contradictions(request)
    question = click.get_current_context().find_object(AskedAnswer)
    if question is None or not request.only_reports:
        raise click.exceptions.Exit(check_files(request))
    from lintpickle.cache.recording import recorded

    raise click.exceptions.Exit(recorded(question, lambda: check_files(request)))
