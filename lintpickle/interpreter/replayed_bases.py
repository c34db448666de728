"""Classes of the standard library whose `__reduce__` sends arguments for the constructor and no state: what a subclass
stores on its objects is not pickled (measured with CPython 3.10 to 3.13)."""

from __future__ import annotations

SENT_BY_REDUCE = {
    "decimal.Decimal": 1,
    "fractions.Fraction": 2,
    "datetime.datetime": 1,
    "datetime.date": 1,
    "datetime.time": 1,
    "datetime.timedelta": 3,
    "collections.Counter": 1,
    "collections.defaultdict": 1,
}
"""How many arguments `__reduce__` of a class sends (a Fraction one up to Python 3.10)."""
_PATHS = ("Path", "PosixPath", "WindowsPath", "PurePath", "PurePosixPath", "PureWindowsPath")
REPLAYED_BASES = frozenset({*SENT_BY_REDUCE, *(f"pathlib.{name}" for name in _PATHS)})
"""All of them: those of `pathlib` send the parts of the path, however many."""
