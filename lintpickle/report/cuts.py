"""What users see of the limits that a run has reached."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby

from lintpickle.limits import LIMITS, Cut, merged
from lintpickle.report.summary import plural

_SHOWN = 5
"""The number of places shown for one limit."""


def cut_remarks(cuts: Iterable[Cut], cwd: str) -> Iterator[str]:
    """The lines for the user: one for each limit and place; of many places, only the first."""
    for name, group in groupby(merged(cuts), key=lambda cut: cut.limit):
        limit, places = LIMITS[name], list(group)
        for cut in places[:_SHOWN]:
            at = f"{os.path.relpath(cut.path, cwd)}:{cut.row}" if cut.path else "the program as a whole"
            yield (
                f"limit {name} reached at {at}, {plural(cut.times, 'time')}: "
                f"at most {limit.most} {limit.counts}; {limit.cut}"
            )
        if len(places) > _SHOWN:
            times = sum(cut.times for cut in places[_SHOWN:])
            yield f"limit {name} reached at {plural(len(places) - _SHOWN, 'more place')}, {plural(times, 'time')}"
