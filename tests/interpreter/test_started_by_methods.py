"""LP111: processes that one method of an object makes, and another one starts."""

from __future__ import annotations

import pytest

from tests.support import lint

PROGRAM = """\
import sys
from multiprocessing import Process


def work(number):
    print(number)


class Crew:
    def __init__(self, count):
        {made}

    def work(self, number):
        print(number)

    def run(self):
        {start}
{more}

if __name__ == "__main__":
    Crew(2).run()
"""
LISTED = "self.workers = [Process(target=self.work, args=(each,)) for each in range(count)]"
PUT = (
    "self.workers = []\n        for each in range(count):\n"
    "            self.workers.append(Process(target=self.work, args=(each,)))"
)
PAIR = "self.reader = Process(target=self.work, args=(1,))\n        self.writer = Process(target=self.work, args=(2,))"
ALL = "for worker in self.workers:\n            worker.start()"
BOTH = "self.reader.start()\n        self.writer.start()"
GETSTATE = "\n    def __getstate__(self):\n        return {}\n"


def _told(made: str, start: str, more: str = "") -> list[str]:
    found = lint(PROGRAM.format(made=made, start=start, more=more)).diagnostics
    return [each.message.partition(" is kept in ")[2].partition(":")[0] for each in found if each.code == "LP111"]


@pytest.mark.parametrize(
    ("made", "start", "kept"),
    [
        (LISTED, ALL, "`Crew.workers`"),
        (PUT, ALL, "`Crew.workers`"),
        (LISTED, f"if self.workers:\n            {ALL.replace(chr(10), chr(10) + '    ')}", "`Crew.workers`"),
        (PAIR, BOTH, "`Crew.reader`"),
        (PAIR, "self.writer.start()\n        self.reader.start()", "`Crew.writer`"),
        (PAIR, f"if not self.reader.is_alive():\n            {BOTH}", "`Crew.reader`"),
        (
            PAIR,
            "if not self.reader.is_alive():\n            self.reader.start()\n            self.writer.start()",
            "`Crew.reader`",
        ),
    ],
)
def test_one_that_is_started_before_another_one(made: str, start: str, kept: str) -> None:
    assert _told(made, start) == [kept]


@pytest.mark.parametrize(
    ("made", "start", "more"),
    [
        pytest.param(PAIR, "self.reader.start()", "", id="only one is started"),
        pytest.param(
            PAIR,
            "if self.reader.is_alive():\n            self.reader.start()\n        self.writer.start()",
            "",
            id="one that is started already",
        ),
        pytest.param(LISTED, "print(self.workers)", "", id="none is started"),
        pytest.param(LISTED.replace("self.work,", "work,"), ALL, "", id="they do not get the object"),
        pytest.param(PAIR.replace("self.work,", "work,"), BOTH, "", id="the pair does not get it"),
        pytest.param(LISTED, ALL, GETSTATE, id="the object leaves them at home"),
        pytest.param(
            PAIR,
            "if sys.argv:\n            self.reader.start()\n        else:\n            self.writer.start()",
            "",
            id="one of the two",
        ),
        pytest.param(PAIR.replace("self.writer", "writer"), "self.reader.start()", "", id="one that is not kept"),
        pytest.param("self.worker = Process(target=self.work, args=(1,))", "self.worker.start()", "", id="itself"),
    ],
)
def test_those_that_have_not_been_started(made: str, start: str, more: str) -> None:
    assert _told(made, start, more) == []


KEPT = """\
from multiprocessing import Process


class Kept(type):
    made = {{}}

    def __call__(cls, *args, **options):
        {call}


class Station(Process, metaclass=Kept):
    def run(self):
        print("run")


class Reader(Process):
    def __init__(self, station):
        super().__init__()
        self.station = station

    def run(self):
        print("read")


def main():
    station = Station()
    {start}
    Reader(station).start()


if __name__ == "__main__":
    main()
"""
_SUPER = "super().__call__(*args, **options)"
_ONCE = f"if cls not in cls.made:\n            cls.made[cls] = {_SUPER}\n        return cls.made[cls]"


@pytest.mark.parametrize(
    "call",
    [
        _ONCE,
        f"return {_SUPER}",
        "return type.__call__(cls, *args, **options)",
        _ONCE.replace("super()", "super(Kept, cls)"),
    ],
)
@pytest.mark.parametrize(("start", "fires"), [("station.start()", True), ("print(station)", False)])
def test_an_object_that_a_metaclass_keeps(call: str, start: str, fires: bool) -> None:
    found = [each.code for each in lint(KEPT.format(call=call, start=start)).diagnostics]
    assert ("LP111" in found) is fires
