"""The table of `lintpickle check --profile`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from lintpickle.profiling import READING, Part, Spent, Stopwatch
from lintpickle.report.summary import plural

_RULES_SHOWN = 10
_FILES_SHOWN = 5
_Row = tuple[str, Spent]


def profile_text(stopwatch: Stopwatch, cwd: Path) -> str:
    """Where the time went: parts of the run, the rules and files that took most, and what was known before. Paths are
    shown from `cwd`."""
    stopwatch.stop()
    parts = stopwatch.by_part()
    total = stopwatch.before + sum(spent.seconds for spent in parts.values())
    files = {_shown(path, cwd): Spent(spent.seconds) for path, spent in stopwatch.by_subject(*READING).items()}
    blocks = [
        _block("part of the run", [*_parts(stopwatch, parts), ("total", Spent(total))], total),
        _block("rules that took most", _top(stopwatch.by_subject(Part.RULES), _RULES_SHOWN), total),
        _block("files that took most to read", _top(files, _FILES_SHOWN), total),
        "".join(f"{line}\n" for line in _remarks(stopwatch, parts)),
    ]
    return "\n".join(block for block in blocks if block)


def _parts(stopwatch: Stopwatch, parts: Mapping[Part, Spent]) -> Iterator[_Row]:
    yield "start-up", Spent(stopwatch.before)
    for part in Part:
        if part in parts:
            yield part.value, parts[part]


def _top(spent: Mapping[str, Spent], shown: int) -> list[_Row]:
    return sorted(spent.items(), key=lambda row: (-row[1].seconds, row[0]))[:shown]


def _block(title: str, rows: list[_Row], total: float) -> str:
    """Rows with aligned columns, under a line that names the columns; nothing if there are no rows."""
    if not rows:
        return ""
    width = max(len(title), *(len(name) for name, _ in rows))
    heads = f"{title:<{width}}  CPU ms   share"
    lines = [f"{heads}   count" if any(spent.count for _, spent in rows) else heads]
    for name, spent in rows:
        share = 100 * spent.seconds / total if total else 0.0
        count = f"{spent.count:>6}" if spent.count else ""
        lines.append(f"{name:<{width}}  {1000 * spent.seconds:>6.0f}  {share:>5.1f}%  {count}".rstrip())
    return "".join(f"{line}\n" for line in lines)


def _remarks(stopwatch: Stopwatch, parts: Mapping[Part, Spent]) -> Iterator[str]:
    """Remarks that explain the numbers."""
    nothing = Spent()
    known, read = (parts.get(part, nothing).count for part in (Part.MAP_KNOWN, Part.MAP))
    kept, walked = (parts.get(part, nothing).count for part in (Part.WALK_KNOWN, Part.WALK))
    if stopwatch.helpers:
        count = sum(helpers.processes for helpers in stopwatch.helpers)
        waited = sum(helpers.waited for helpers in stopwatch.helpers)
        others = plural(count, "other process")
        yield f"Part of this was done in {others}, for which the first one waited {1000 * waited:.0f} ms."
    if stopwatch.limits:
        reached = ", ".join(f"{name} {plural(times, 'time')}" for name, times in stopwatch.limits.items())
        yield f"Limits were reached: {reached}."
    if known or kept:
        yield (
            f"From the cache: the outlines of {known} of {plural(known + read, 'file')}, "
            f"the facts of {kept} of {kept + walked} blocks and methods."
        )


def _shown(path: str, cwd: Path) -> str:
    return os.path.relpath(path, cwd) if Path(path).is_relative_to(cwd) else path
