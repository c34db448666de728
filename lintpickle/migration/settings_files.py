"""Pins in files that are no Python: shell scripts, Dockerfiles, CI and tool settings, read as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from lintpickle import disk
from lintpickle.migration.model import Pin, Spot
from lintpickle.migration.pinning import Pinning, pinning
from lintpickle.settings import SettingsResolver
from lintpickle.source.discovery import is_excluded, leads_outside

_ENDINGS = (".sh", ".bash", ".zsh", ".yml", ".yaml", ".env", ".toml", ".cfg", ".ini", ".service", ".mk", ".bat")
_NAMES = re.compile(
    r"(?:.*\.)?(?:Docker|Container|Jenkins|Make|Proc|just)file(?:\..*)?|\.env(?:\..*)?|\.envrc", re.IGNORECASE
)
_LARGEST = 1_000_000
_MOST_FILES = 5_000
_SET = re.compile(r"""(?<![\w.-])([A-Za-z_][\w-]*)["']?\s*(?:[?:]?=|:|\s)\s*["']?(\w+)""")
_LISTED = ("ENV ", "export ", "set ", "-e ", "--env ")
"""What may stand before a variable, where it would be taken for one itself."""
_COMMENT = re.compile(r"^\s*(?:#|//|;|REM\b)")


def pins_in_files(paths: Sequence[str], resolver: SettingsResolver) -> Iterator[Pin]:
    """The pins in settings and scripts below the folders that were named, as far as the settings do not leave them out.
    Links are not followed."""
    known = pinning()
    for path in _files([os.path.abspath(resolver.cwd / path) for path in paths], resolver):
        try:
            text = disk.text(path, errors="replace", limit=_LARGEST)
        except OSError:
            continue
        if known.words.search(text) or any(option in text for option in known.options):
            yield from _pins(path, text, known)


def _pins(path: str, text: str, known: Pinning) -> Iterator[Pin]:
    for row, line in enumerate(text.split("\n"), start=1):
        if _COMMENT.match(line):
            continue
        spot = Spot(path, row)
        for word in _LISTED:
            line = line.replace(word, " " * len(word))
        for found in _SET.finditer(line):
            name, value = found.groups()
            if known.is_variable(name.replace("-", "_"), value):
                yield Pin(found.group().strip(), "environment", spot, None)
        for option, tool in known.options.items():
            if re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", line) and "pytest" in f"{line} {text}":
                yield Pin(f"{option} ({tool})", "tests", spot, None)


def _files(folders: Sequence[str], resolver: SettingsResolver) -> Iterator[str]:
    waiting = [path for path in folders if disk.is_folder(path)]
    seen = 0
    while waiting:
        folder = waiting.pop()
        settings = resolver.for_folder(folder)
        try:
            entries = sorted(disk.entries(folder), key=lambda each: each.name)
        except OSError:
            continue
        for entry in entries:
            if entry.is_symlink() or is_excluded(entry.path, settings) or leads_outside(entry.path, folder):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            elif entry.name.endswith(_ENDINGS) or _NAMES.fullmatch(entry.name):
                seen += 1
                if seen > _MOST_FILES:
                    return
                yield entry.path
