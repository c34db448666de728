"""What a user is told of the limits that a run has reached."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby

from lintpickle.limits import LIMITS, Cut, merged
from lintpickle.report.summary import plural

_SHOWN = 5
"""How many places are told of one limit."""


def cut_remarks(cuts: Iterable[Cut], cwd: str) -> Iterator[str]:
    """What to tell the user: a line for each limit and place; where there are many places, the first ones."""
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
