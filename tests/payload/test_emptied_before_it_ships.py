"""Objects that give their handle up in the loop, the chain or the generator that makes them. Each program is run for
the truth: what it gives is pickled as it comes."""

from __future__ import annotations

import pickle
import sys
from types import ModuleType

import pytest

from tests.support import marks

PROGRAM = """\
import sqlite3
from multiprocessing import Pool


class Measurement:
    def __init__(self, station):
        self.station = station
        self.connection = sqlite3.connect(":memory:")
        self.values = []

    def pull(self):
        self.values = list(self.connection.execute("select 1"))
        return self

    def detach(self):
        self.connection.close()
        {giving_up}
        return self

    def attach(self):
        self.connection = sqlite3.connect(":memory:")
        return self


def analyse(measurement):
    return sum(measurement.values)


{gathering}


def main():
    with Pool() as pool:
        print(pool.map(analyse, gather(range(3))))


if __name__ == "__main__":
    main()
"""

EMPTIED = {
    "chain in a generator": "for n in ns:\n    yield Measurement(n).pull().detach()",
    "chain in a list": "return [Measurement(n).pull().detach() for n in ns]",
    "chain that is appended": "found = []\nfor n in ns:\n    found.append(Measurement(n).detach())\nreturn found",
    "statement in a loop": "for n in ns:\n    made = Measurement(n)\n    made.detach()\n    yield made",
    "statement in while": (
        "waiting = list(ns)\nwhile waiting:\n    made = Measurement(waiting.pop())\n    made.detach()\n    yield made"
    ),
    "where all is made by condition": (
        "for n in ns:\n    if n != 1:\n        made = Measurement(n)\n        made.detach()\n        yield made"
    ),
    "another yield before": "made = Measurement(1)\nyield None\nmade.detach()\nyield made",
}
FULL = {
    "by condition": "for n in ns:\n    made = Measurement(n)\n    if n:\n        made.detach()\n    yield made",
    "left out by continue": (
        "for n in ns:\n    made = Measurement(n)\n    if n:\n        yield made\n        continue\n    made.detach()"
    ),
    "too late": "for n in ns:\n    made = Measurement(n)\n    yield made\n    made.detach()",
    "too late, without a loop": "made = Measurement(1)\nyield made\nmade.detach()",
    "on one way": "for n in ns:\n    yield Measurement(n).detach() if n else Measurement(n)",
    "another loop": (
        "for n in ns:\n    made = Measurement(n)\n    for _ in range(n):\n        made.detach()\n    yield made"
    ),
    "attached again": "for n in ns:\n    yield Measurement(n).detach().attach()",
}


def _program(body: str, giving_up: str) -> str:
    gathering = "def gather(ns):\n" + "\n".join("    " + line for line in body.split("\n"))
    return PROGRAM.format(gathering=gathering, giving_up=giving_up)


def _crosses(program: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    module = ModuleType("measurements")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(program, module.__dict__)
    try:
        for each in module.gather(range(3)):
            pickle.dumps(each)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("giving_up", ["self.connection = None", "del self.connection"])
@pytest.mark.parametrize("body", EMPTIED.values(), ids=EMPTIED)
def test_what_is_given_up_before(body: str, giving_up: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _program(body, giving_up)
    assert _crosses(program, monkeypatch)
    assert marks(program) == []


@pytest.mark.parametrize("body", FULL.values(), ids=FULL)
def test_what_is_still_there(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _program(body, "self.connection = None")
    assert not _crosses(program, monkeypatch)
    assert [code for _, code in marks(program)] == ["LP110"]
