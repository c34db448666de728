"""Standard input, and whether a message is on its way in: Python runs one thread at a time, so the analysis had better
pause until the message has been taken."""

from __future__ import annotations

import logging
import re
import threading
from typing import BinaryIO

LARGEST = 1 << 30
"""Bytes that a message may have."""
LONGEST_HEADER = 10_000
_LENGTH = re.compile(rb"Content-Length: (\d+)")
_DIGITS = 20
_LONGEST = 0.05
"""Seconds that work pauses for one message, at most."""

log = logging.getLogger(__name__)


class Incoming:
    """A binary stream that is read message by message, each from its first header to the end of its body."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._taken = threading.Event()
        self._taken.set()

    def readline(self) -> bytes:
        """The next header. Whoever asks for one has taken what was read before."""
        self._taken.set()
        line = self._stream.readline(LONGEST_HEADER)
        found = _LENGTH.match(line)
        if found is not None and (len(found[1]) > _DIGITS or int(found[1]) > LARGEST):
            log.error("a message of more than %d bytes was announced: the connection ends", LARGEST)
            line = b""
        if line:
            self._taken.clear()
        return line

    def read(self, size: int) -> bytes:
        """The body of a message."""
        return self._stream.read(size)

    def wait(self) -> None:
        """Wait until the message that is coming in has been taken, if there is one."""
        self._taken.wait(_LONGEST)
