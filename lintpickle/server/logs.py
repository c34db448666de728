"""The log that an editor keeps of the server's standard error: one line for each record, whatever is in it."""

from __future__ import annotations

import logging
import sys
import traceback

from lintpickle.defects import told
from lintpickle.escaping import one_line


class LineFormatter(logging.Formatter):
    """Records as single lines. An error is its name and the place where it was raised; with `traces`, its traceback
    follows, indented."""

    def __init__(self, traces: bool) -> None:
        super().__init__()
        self._traces = traces

    def format(self, record: logging.LogRecord) -> str:
        """The text of a record."""
        line = one_line(f"{record.levelname} {record.name}: {record.getMessage()}")
        error = record.exc_info[1] if record.exc_info else None
        if not isinstance(error, Exception):
            return line
        trace = "".join(traceback.format_exception(error)) if self._traces else ""
        return "\n".join([f"{line}: {one_line(told(error))}", *(f"  {one_line(row)}" for row in trace.splitlines())])


def start_log(level: str) -> None:
    """Write records from a level on to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter(traces=level == "debug"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
