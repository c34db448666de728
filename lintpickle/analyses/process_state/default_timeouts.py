"""What workers meet that lack the default timeout of sockets which the main process sets: they wait without a limit.
Measured with CPython 3.11, where nobody answers: forked workers get a TimeoutError, others wait for ever."""

from __future__ import annotations

import re

from lintpickle.analyses.main_state.main_setters import Met
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.analyses.waiting.waits import WORKER_WAITS

SETS_TIMEOUT = "socket.setdefaulttimeout"
_READY = re.compile(r"\bexcept\b[^\n:]*\b(?:TimeoutError|timeout|URLError)\b")


def waiting_without(dependence: Dependence) -> Met | None:
    """That a function waits for ever which is ready for the error that a socket with a timeout raises; None if it is
    not."""
    code, span = dependence.function.module.code, dependence.function.facts.span
    if _READY.search(code, span.start, span.end) is None:
        return None
    return Met("there sockets have none, and where no answer comes it waits for ever", "set", WORKER_WAITS)
