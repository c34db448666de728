"""From a pasted traceback to the line: reading the text, matching its frames to files here, and following what crosses.

`explain` is the whole way. The parts, in the order of the data: `cleaning` takes off what terminals, ranks, logs and CI
systems have put around the lines; `parsing` finds frames, errors and notes in them; `recognition` tells what the error
means; `places` finds the frames' files; `candidates` follows what crosses and ranks what gives this error.
"""

from __future__ import annotations

from lintpickle.tracebacks.explaining import explain
from lintpickle.tracebacks.records import Explanation, Read

__all__ = ["Explanation", "Read", "explain"]
