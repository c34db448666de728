"""What is stored on a member of an enumeration does not cross: `Enum.__reduce_ex__` sends its value, and the other
process looks the member up by that (measured with CPython 3.8 to 3.13)."""

from __future__ import annotations

import pytest

from tests.support import marks

THRESHOLDS = """\
import enum
import threading
from concurrent.futures import ProcessPoolExecutor


class Base({base}):
    def label(self):
        return str(self)


class Threshold({own}):
    LOW = 1
    HIGH = 100

    def __init__(self, bound):
        self.test = lambda quantity: quantity >= bound
        self.guard = threading.Lock()


def exceeds(job):
    threshold, quantity = job
    return threshold.test(quantity)


def main():
    threshold = Threshold(100)
    with ProcessPoolExecutor(2) as executor:
        print(list(executor.map(exceeds, [(threshold, 5), (Threshold(1), 50)])))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("base", "own"),
    [
        ("object", "enum.Enum"),
        ("object", "enum.IntEnum"),
        ("object", "enum.Flag"),
        ("object", "int, enum.Enum"),
        ("enum.Enum", "Base"),
    ],
)
def test_what_members_hold_stays_here(base: str, own: str) -> None:
    assert marks(THRESHOLDS.format(base=base, own=own)) == []


@pytest.mark.parametrize(("base", "own"), [("object", "Base"), ("object", "object"), ("threading.local", "object")])
def test_what_other_objects_hold_does_not(base: str, own: str) -> None:
    assert {code for _, code in marks(THRESHOLDS.format(base=base, own=own))} == {"LP102", "LP111"}
