"""The levels that `logging.basicConfig(level=…)` is given: a constant, one of two, a variable with one of these, or an
option of the command line."""

from __future__ import annotations

import re

SHOWN_BELOW_WARNING = {"INFO": "info", "20": "info", "DEBUG": "debug|info", "10": "debug|info", "NOTSET": "debug|info"}
"""The methods that log what a level shows, and the default level, which is WARNING, does not."""
_ONE = r"(?:getattr\(\s*logging\s*,\s*)?(?:(?:\w+\.)?[A-Z]+\b|[\"']\w+[\"']|\d+\b)"
_EITHER = rf"(?:(?P<either>{_ONE})\s+if\b[^\n]*?\belse\s+)?(?P<one>{_ONE})"
_OPTION = r"(?:getattr\(\s*logging\s*,\s*)?(?:\w*arg\w*|\w*opt\w*)\.(?P<option>[^\W\d]\w*)"
_LEVEL = re.compile(rf"\blevel\s*=\s*(?:{_EITHER}|{_OPTION}|(?P<name>[^\W\d]\w*)\s*(?:,|\Z))")
_IS = rf"{{0}}\s*(?::[^\n=,)]+)?=\s*(?:{_EITHER}|{_OPTION})"
_OTHERWISE = rf"(?m)^(?P<else>[ \t]*)else:[^\n]*\n(?:(?P=else)[ \t]+\S[^\n]*\n|[ \t]*\n)*?(?P=else)[ \t]+{_IS}"
_BEFORE = rf"(?m)(?:^(?P<indent>[ \t]*)|[(,][ \t]*){_IS}"
_CALL = re.compile(r"(?m)^([ \t]*)[^\n]*\bbasicConfig\b")
_DEFAULT = rf"--{{0}}[\"'](?:(?!add_argument|option\(|\n\s*\n)[\s\S])*?\bdefault\s*=\s*(?P<one>{_ONE})"
_WORD = re.compile(r"\w+")


def methods_shown(given: str, text: str, module: str) -> str | None:
    """The methods below WARNING, as alternatives of a pattern, whose records the level shows that a call is given;
    `text` is the function that makes the call, or its `module`. Of several levels it is that which holds where nobody
    asks for another: the last case (`else`), what stands before all conditions, or the default of an option. None if
    that shows no more than the default level, or is not known."""
    level = _LEVEL.search(given)
    if level is not None and level["name"] is not None:
        level = _assigned(re.escape(level["name"]), text)
    if level is not None and level["option"] is not None:
        level = re.search(_DEFAULT.format(level["option"].replace("_", "[-_]")), module)
    return _shown(level) if level is not None else None


def _assigned(name: str, text: str) -> re.Match[str] | None:
    """What a variable is where nobody asks for something else."""
    otherwise, call = re.search(_OTHERWISE.format(name), text), _CALL.search(text)
    most = len(call[1]) if call is not None else 0
    before = (each for each in re.finditer(_BEFORE.format(name), text) if len(each["indent"] or "") <= most)
    return otherwise or next(before, None)


def _shown(level: re.Match[str]) -> str | None:
    """What is shown by a level; of one of two, by both of them."""
    groups = (level.groupdict().get(each) for each in ("one", "either"))
    shown = [SHOWN_BELOW_WARNING.get(_WORD.findall(each)[-1], "").split("|") for each in groups if each is not None]
    return "|".join(each for each in shown[0] if all(each in other for other in shown)) or None
