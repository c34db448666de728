"""From a pasted traceback to the line: parsing the text, finding the files of its frames here, and following what
crosses.

`explain` does all of it. The parts, in the order of the data: `cleaning` removes what terminals, ranks, logs and CI
systems have put around the lines; `parsing` finds frames, errors and notes; `recognition` says what the error means;
`places` finds the frames' files; `candidates` follows what crosses and ranks what can cause this error.
"""

from __future__ import annotations

from lintpickle.tracebacks.explaining import explain
from lintpickle.tracebacks.records import Explanation, Read

__all__ = ["Explanation", "Read", "explain"]
