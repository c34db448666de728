"""The forms that single lines of a traceback have, by whoever printed them."""

from __future__ import annotations

import re

_PATH = r"(?:~|/|\.|[A-Za-z]:)?[^:*?\"<>|]*"
_ERROR_NAMES = (
    "Error|Exception|ExceptionGroup|Interrupt|Exit|Warning|Failed|BrokenProcessPool|Pool|Raised|Terminated|Exited"
)


def _form(text: str) -> re.Pattern[str]:
    """A regular expression written over several rows; spaces in it that count are written `[ ]`."""
    return re.compile(text, re.VERBOSE)


PLAIN_FRAME = _form(
    r"""^\s* File [ ] "(?P<path>[^"\n]+)", [ ] line [ ] (?P<row>\d+)
    (?:, [ ] in (?:[ ] (?P<function><[^>]*>\S* | \S+))?)? \s* $"""
)
RUN_TOGETHER = _form(
    r"""^\s* File [ ] "(?P<path>[^"\n]+)", [ ] line [ ] (?P<row>\d+)
    , [ ] in [ ] (?P<function><?\w+>?) [ ] (?P<line>\S.*?) \s* $"""
)
"""Frames whose line ends got lost."""
DEBUGGER = _form(
    r"""^\s* (?:>[ ])? (?P<path>(?:[A-Za-z]:)?[^\s:*?"<>|(]+\.py) \((?P<row>\d+)\) (?P<function>[\w<>.]+)?"""
)
RICH = _form(
    r"""^\s* (?P<path>(?:[A-Za-z]:)?[^\s:*?"<>|│][^:*?"<>|│]*\.pyx?) :(?P<row>\d+) [ ]in
    (?:[ ](?P<function>.+?))? \s* $"""
)
PYTEST = _form(
    r"""^(?P<path>(?:[A-Za-z]:)?[^\s:*?"<>|][^:*?"<>|]*\.py) :(?P<row>\d+):[ ]?
    (?:in [ ] (?P<function>\S+) | (?P<error>\w*(?:Error|Exception)))? \s* $"""
)
IPYTHON_BEFORE_8 = _form(
    r"""^(?P<path>(?:~|/|[A-Za-z]:)[^:*?"<>|]*\.pyx? | <ipython-input-(?P<cell>\d+)-\w+>)
    [ ]in (?:[ ](?P<function>[\w.<>]*) (?:\(.*)?)? \s* $"""
)
IPYTHON = _form(
    rf"""^(?:File|Input) [ ] (?P<path>{_PATH}\.(?:pyx?|ipynb)) (?::(?P<row>\d+))?
    (?:,[ ]in[ ](?P<function>[^(\n]+))? (?:\(.*)? \s* $"""
)
CELL = _form(
    r"""^(?:Cell|Input) [ ] In [ ]? \[(?P<cell>\d+)\] (?:,[ ]line[ ](?P<row>\d+))?
    (?:,[ ]in[ ](?:<cell[ ]line:[ ](?P<row2>\d+)> | (?P<function>[^(\n]+)) (?:\(.*)?)? \s* $"""
)
FRAMES = (PLAIN_FRAME, IPYTHON, CELL, IPYTHON_BEFORE_8, RICH, PYTEST, RUN_TOGETHER, DEBUGGER)

KERNEL = re.compile(r"ipykernel_\d+[/\\]\d+\.py$")
"""The end of the path by which a kernel calls a notebook's cell."""
ARROW = _form(r"^\s* (?:-+>|❱) \s* (?P<row>\d+) (?:\s?│)? \s? (?P<line>.*) $")
"""The line at which a frame stands, among those that IPython and rich show around it."""
NUMBERED = re.compile(r"^\s*\d+(?:\s?│|\s|$)")
CARETS = re.compile(r"^\s*[~^]+\s*$")
HEAD = re.compile(r"Traceback \(most recent call last\)")
LINK = _form(
    r"""^(?:The[ ]above[ ]exception[ ]was[ ]the[ ]direct[ ]cause[ ]of[ ]the[ ]following[ ]exception:
    | During[ ]handling[ ]of[ ]the[ ]above[ ]exception,[ ]another[ ]exception[ ]occurred:) \s* $"""
)
SPLIT_PATH_END = re.compile(r"^\s*\S*:\d+ in\b|^\s*[\w<>.]+\s*$")
SPLIT_PATH_START = _form(r"""^\s* (?:~?[/\\] | [A-Za-z]:[/\\]) [^:*?"<>|│]* (?::\d+[ ]in)? \s* $""")
"""A long path that rich breaks to the width of its frame, and how it goes on."""
ERROR = _form(
    rf"""^(?:E[ ]{{2,}} | Exception[ ]has[ ]occurred:[ ] | [Ee]xception:[ ](?=[\w.]*Error:))?
    (?P<type>(?:[A-Za-z_]\w*\.)*(?:[A-Z_]\w*)?(?:{_ERROR_NAMES}) | _pickle\.\w+error)
    (?:\s*: [ ]? (?P<message>.*) | \s*) $"""
)
INDENTED_ERROR = _form(
    r"^\s+ (?:E\s+)? (?P<type>(?:[A-Za-z_]\w*\.)*[A-Z_]\w*(?:Error|Exception)) :[ ] (?P<message>\S.*) $"
)
NOTE = re.compile(r"^(?:E\s+|\s*)(when (?:de)?serializing .+)$")
