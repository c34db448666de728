"""How much of a saved file is read: it may be of any size, and made by anybody.

Where a bound is reached, the report says so, and that the list may be incomplete.
"""

from __future__ import annotations

from msgspec import Struct


class Exceeded(Exception):
    """A bound was reached. Its text says which one, for people."""


OPCODES = 50_000_000
"""Opcodes of one file: about a minute."""
INFLATED = 8_000_000_000
"""Bytes that come out of compressed parts of one file."""
PICKLES = 10_000
"""Pickles, one behind the other or in one archive."""
MEMBERS = 200_000
"""Files in one archive."""
DIRECTORY = 64_000_000
"""Bytes of a zip archive's list of files."""
STACK_ITEMS = 2_000_000
"""Objects that wait to be put into others, and marks. A tuple of more items waits as a whole."""
MEMO = 1_000_000
"""Strings and globals that a pickle may name again."""
WORDS = 100_000_000
"""Bytes of different strings that are remembered, because a global may be made of them."""
WORD = 1_000
"""Bytes of a string that may be a name. The longest dotted name that Python itself accepts anywhere is not bounded, but
no real one comes near."""
GLOBALS = 20_000
"""Different globals of one file."""
LINE = 4_000_000
"""Bytes of an operand that ends with its line (protocol 0): a long integer may be one."""


class ReadingBudget(Struct):
    """What is left for a file."""

    opcodes: int = OPCODES
    inflated: int = INFLATED
    pickles: int = PICKLES
    words: int = WORDS
    globals: int = GLOBALS

    def inflate(self, count: int) -> None:
        """Count bytes that were decompressed. Raises `Exceeded`."""
        self.inflated -= count
        if self.inflated < 0:
            raise Exceeded(f"more than {INFLATED:,} bytes come out of its compressed parts")

    def begin_pickle(self) -> None:
        """Count a pickle. Raises `Exceeded`."""
        self.pickles -= 1
        if self.pickles < 0:
            raise Exceeded(f"it holds more than {PICKLES:,} pickles")
