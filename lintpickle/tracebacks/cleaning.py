"""Lines without what is put around them: colours, and the prefixes of ranks, processes, containers, CI and logs.

Each line belongs to a stream: what one process wrote. Lines of several streams come interleaved; streams are told
apart by the prefixes that name a process, not by those that name a time.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

LONGEST_TEXT = 2_000_000
MOST_LINES = 20_000
"""So many characters are read, and so many lines that are not blank, the last ones: the error stands at the end."""
_LONGEST_LINE = 4_000

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]|[\x00-\x08\x0e-\x1f]")
_SPELT_ESCAPES = re.compile(r"(?:\\x1b|\\u001b|\\033|\^\[|␛)\[[0-9;]*m")

_STREAMS = (
    r"\[rank\s*\d+\]:?",  # torch 2.x
    r"\[\d+,\d+\]<std(?:err|out)>:",  # mpirun --tag-output
    r"\(\w[\w.-]* pid=\d+[^)\n]*\)",  # ray
    r"\[?(?:rank|RANK|Rank|worker|local_rank)[ _=:]?\d+\]?(?::|(?=\s*\|)|(?=\s+(?:Traceback|File)))",
    r"\[default\d+\]:",  # torchrun --tee
    r"\[\w+-?\d*/\d+\]:",
    r"[\w.-]+:\d+:\d+(?: \[\d+\])?(?=\s)",  # host:pid:thread
    r"\d{1,4}: (?=\s*(?:Traceback|File \"|\w*Error|  ))",  # srun --label
    r"[\w][\w.-]{0,60}\s*\| (?=.)",  # docker compose, process managers
    r"\[\w[\w./-]{0,60}\] (?=\s*(?:Traceback|File \"|  ))",  # kubectl --prefix
)
_OTHERS = (
    r"std(?:err|out) [FP](?= )",  # kubernetes
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?(?:\s\|)?",
    r"\[?\d\d(?:\d\d)?[-/]\d\d[-/]\d\d(?:\d\d)? \d\d:\d\d:\d\d(?:[.,]\d+)?\]?",
    r"\[\d\d:\d\d:\d\d(?:[.,]\d+)?\]",
    r"\d\d:\d\d:\d\d(?:[.,]\d+)?",
    r"[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d(?: [\w.-]+ [\w./-]+\[\d+\]:)?",  # syslog, journalctl
    r"[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w./-]+:\d+\]",  # glog
    r"##\[(?:error|debug|warning)\]",
    r"(?:ERROR|CRITICAL|WARNING|INFO|DEBUG)(?::[\w.]+)?:(?! )",
    r"(?:- |\[|<)?\b(?:ERROR|CRITICAL|WARNING|INFO|DEBUG|stderr|stdout|STDERR|STDOUT)\b(?:\]|>)?(?: *[-:|])?",
    r"(?:- )?[\w.]+ +(?:-|\|) +(?:ERROR|CRITICAL|WARNING|INFO|DEBUG) +(?:-|\|)",
    r">(?=[ \t]|$)",  # quoted mail and Markdown
)
_STREAM = re.compile("|".join(_STREAMS))
_OTHER = re.compile("|".join(_OTHERS))
_SYMBOLS = re.compile(r"^\s*(?:│|┃|\|)(?=\s|$)|(?:│|┃)\s*$")
_GROUP = re.compile(r"^(\s*)(?:\| ?|\+-\+?-+(?: \d+ -+)?|\+(?= Exception Group)|\+-+(?: \d+ -+)?$)")
_LINK = re.compile(r"\[([^\]\n]+)\]\((?:https?|file|vscode[\w-]*):[^)\s]*\)")
_MOST_PREFIXES = 6


def streams(text: str) -> list[list[str]]:
    """The lines of each stream, cleaned; streams in the order in which they begin."""
    found: dict[tuple[str, ...], list[str]] = {}
    for line in _lines(unpacked(text[-LONGEST_TEXT:])):
        key, rest = _peeled(line)
        found.setdefault(key, []).append(rest)
    plain = found.get((), [])
    tagged = [lines for key, lines in found.items() if key]
    return [*([plain] if plain else []), *tagged]


def unpacked(text: str) -> str:
    """The text, or what error files and log records hold as the strings of a JSON value."""
    start = text.lstrip()[:1]
    if start in ("{", "["):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return _unescaped(text)
        return "\n".join(_strings(value)) or text
    return _unescaped(text)


def _unescaped(text: str) -> str:
    """A text whose line ends were written as backslash and n, as `repr` and JSON logs do."""
    if text.count("\\n") > 2 and text.count("\\n") > text.count("\n"):
        return text.replace("\\n", "\n").replace('\\"', '"').replace("\\t", "\t")
    return text


def _strings(value: object, depth: int = 0) -> Iterator[str]:
    """The strings in a JSON value in which an error can stand. torchrun's error files hold a message and, below
    `extraInfo`, the traceback, which ends in the message: so the longest comes first, and what it contains goes."""
    if depth > 20:
        return
    match value:
        case str() as text if "\n" in text or "Error" in text or "pickle" in text:
            yield _unescaped(text)
        case dict():
            inner = [text for each in value.values() for text in _strings(each, depth + 1)]
            longest = sorted(inner, key=len, reverse=True)
            yield from (text for at, text in enumerate(longest) if not any(text in other for other in longest[:at]))
        case list():
            if value and all(isinstance(each, str) for each in value):
                yield "\n".join(value)  # a notebook's traceback, line by line
            else:
                for each in value:
                    yield from _strings(each, depth + 1)
        case _:
            pass


def _lines(text: str) -> Iterator[str]:
    lines = text.replace("\r\n", "\n").replace("\u00a0", " ").split("\n")
    for line in _without_blank_runs(lines)[-MOST_LINES:]:
        shown = line.rstrip("\r").rpartition("\r")[2]  # a progress bar wrote over what stood before
        shown = _SPELT_ESCAPES.sub("", _ESCAPES.sub("", shown))[:_LONGEST_LINE].expandtabs(4)
        yield _LINK.sub(r"\1", shown) if "](" in shown else shown


def _without_blank_runs(lines: list[str]) -> list[str]:
    """The lines, with one blank line where several follow each other."""
    return [line for at, line in enumerate(lines) if line.strip() or at == 0 or lines[at - 1].strip()]


def _peeled(line: str) -> tuple[tuple[str, ...], str]:
    """What names the process that wrote a line, and the line without its prefixes; its indentation is kept."""
    names: list[str] = []
    rest = line
    for _ in range(_MOST_PREFIXES):
        stripped = rest.lstrip()
        name = _STREAM.match(stripped)
        found = name or _OTHER.match(stripped)
        if found is None or _is_code(stripped):
            break
        if name is not None:
            names.append(" ".join(name[0].split()))
        rest = stripped[found.end() :]
        rest = rest[1:] if rest.startswith(" ") else rest
    return tuple(names), _unframed(rest)


def _is_code(stripped: str) -> bool:
    """Whether a line without indentation is one of a traceback, whatever its start looks like."""
    return stripped.startswith(("File ", "Traceback", "│", "╭", "╰", "❱"))


def _unframed(line: str) -> str:
    """A line without the borders that rich and exception groups draw around it."""
    if "│" in line or "┃" in line:
        return _SYMBOLS.sub("", line).rstrip()
    group = _GROUP.match(line)
    while group is not None and ("|" in group[0] or "+" in group[0]):
        line = line[group.end() :]
        group = _GROUP.match(line)
    return line.rstrip()
