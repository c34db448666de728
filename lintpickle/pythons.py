"""The Pythons that a program runs on: as settings write them, and one by one."""

from __future__ import annotations

import re
from typing import TypeAlias

from msgspec import Struct

Version: TypeAlias = tuple[int, int]
"""A Python version, (major, minor)."""

NEWEST: Version = (3, 14)
"""The newest Python whose behaviour was measured: where nothing else is said, programs are to run up to it."""

FIRST_UNFORKED: Version = (3, 14)
"""The first Python of which multiprocessing does not fork by default on Linux."""

_PLAIN = re.compile(r"(?:py)?3\.?([0-9]{1,2})")
_NUMBER = r"(?:\.([0-9]{1,3}))?"
_CLAUSE = re.compile(
    rf"\s*(~=|===?|!=|<=|>=|<|>)\s*([0-9]{{1,3}}){_NUMBER}{_NUMBER}(?![0-9]|\.[0-9]{{4}})(?:\.\*|[.\w]*)\s*"
)


class Pythons(Struct, frozen=True):
    """A range of Pythons, both ends in it. None: nothing is known of that end."""

    oldest: Version | None = None
    newest: Version | None = None

    def since(self, oldest: Version) -> tuple[Version, ...]:
        """The versions of the range in ascending order, one at least. Where the range has no oldest one, it is `oldest`
        (or the newest one, if that is older); where it has no newest one, `NEWEST`."""
        newest = self.newest or max(NEWEST, self.oldest or oldest)
        first = self.oldest or min(oldest, newest)
        return tuple((3, minor) for minor in range(first[1], newest[1] + 1))


def exactly(text: str) -> str:
    """The settings' text for the one version that "3.12" or "py312" names; what is written otherwise stays."""
    plain = _PLAIN.fullmatch(text)
    return f"==3.{int(plain[1])}" if plain is not None else text


def read_pythons(text: str) -> Pythons | None:
    """The range that is meant by "3.12" or "py312" (from that one on), or by clauses as those of requires-python
    (">=3.10,<3.13"). None if it is neither, or if no Python 3 is in it."""
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        return Pythons((3, int(plain[1])))
    lower: list[int] = []
    upper: list[int] = []
    for clause in text.split(","):
        match = _CLAUSE.fullmatch(clause)
        if match is None:
            return None
        sign, major, minor, micro = match[1], int(match[2]), match[3], match[4]
        if major != 3 or minor is None or sign == "!=":
            continue
        if sign not in ("<", "<="):
            lower.append(int(minor))
        if sign == "<" and not int(micro or 0):
            upper.append(int(minor) - 1)
        elif sign in ("<", "<=", "==", "===") or (sign == "~=" and micro is not None):
            upper.append(int(minor))
    found = Pythons((3, max(lower)) if lower else None, (3, min(upper)) if upper else None)
    return None if lower and upper and max(lower) > min(upper) else found
