"""Text from a repository, made harmless for the terminal or CI system that shows it.

A terminal obeys escape sequences. CI systems obey workflow commands in the output of a step: GitHub `::name::` at the
start of a line, with or without spaces before it, and `##[name]` anywhere in it; Azure `##vso[name]` anywhere.
`visible` of `lintpickle.terminal` is for one row; the functions here are for whole reports, as the last step before
they are written.
"""

from __future__ import annotations

import re

from lintpickle.addresses import SITE
from lintpickle.terminal import BIDIRECTIONAL, visible

_CODE = "(?:[0-2]|3[1-46])"
_OWN_SEQUENCE = rf"\x1b\[{_CODE}(?:;{_CODE})*m|\x1b\]8;;(?:(?:file://|{re.escape(SITE)}/)[!-~]*)?\x1b\\"
"""Colours and links, as `lintpickle.terminal.Style` writes them: no other colours, which could hide text, and no links
but to files and to lintpickle's site."""
_TURNING = "".join(sorted(BIDIRECTIONAL))
_STEERING = re.compile(rf"({_OWN_SEQUENCE})|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u2028\u2029{_TURNING}]|\r(?!\n)")
_IN_JSON = re.compile(rf"[\x7f-\x9f\u2028\u2029{_TURNING}]")
_COMMAND_ANYWHERE = re.compile(r"##(?=\[|vso\[)")
_COMMAND_AT_START = re.compile(r"^((?:\x1b\[[0-9;]*m|[^\S\n])*)(?=::.*::)", re.MULTILINE)


def steady(text: str, *, color: bool = False, commands: bool = False) -> str:
    """A report without control sequences of terminals and CI systems. With `color`, colours and links remain; with
    `commands`, workflow commands do, because the format consists of them or has escaped everything else."""
    text = _STEERING.sub(lambda found: found[0] if color and found[1] else visible(found[0]), text)
    return text if commands else _COMMAND_AT_START.sub(r"\1\\", no_command(text))


def one_line(text: str) -> str:
    """A message on one line, whatever is in it."""
    return visible(text)


def no_command(text: str) -> str:
    """A text in which no CI system finds a command that it obeys anywhere in a line."""
    return _COMMAND_ANYWHERE.sub("#♯", text)


def json_text(text: str) -> str:
    """JSON that holds the same values, written so that nothing obeys what is in its strings."""
    text = _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text.replace("##", "#\\u0023")
