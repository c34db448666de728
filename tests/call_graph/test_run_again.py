"""LP111: what a method that runs more than once on an object has left there when it sends the object again."""

from __future__ import annotations

import pytest

from tests.support import marks

_PROGRAM = """\
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

POOL = ProcessPoolExecutor()

class Supervisor:
    def __init__(self, hosts):
        self.hosts = hosts
        self.crawlers = {}
        self.started = []
        self.newest = None
        self.count = 0

    def crawl(self, slot):
        print(self.hosts[slot])

    def launch(self, slot):
        LAUNCH

    def keep(self, process):
        self.started.append(process)

    def reset(self):
        self.crawlers.clear()
        self.started = []

    def wait(self):
        for process in [*self.crawlers.values(), *self.started]:
            process.join()

    def start(self):
        START

MORE

def main():
    supervisor = Supervisor(["a.example", "b.example"])
    MAIN


if __name__ == "__main__":
    main()
"""
_LAUNCH = "process = mp.Process(target=self.crawl, args=(slot,))\nprocess.start()\n"
_BY_SLOT = f"{_LAUNCH}self.crawlers[slot] = process"
_IN_LIST = f"{_LAUNCH}self.started.append(process)"
_BY_COUNT = "process = mp.Process(target=self.crawl, args=(slot,))\nself.crawlers[number] = process\nprocess.start()"
_START = "for slot in range(len(self.hosts)):\n    self.launch(slot)"
_MAIN = "supervisor.start()\nsupervisor.wait()"


def _found(launch: str = _BY_SLOT, start: str = _START, main: str = _MAIN, more: str = "") -> list[str]:
    text = _PROGRAM.replace("LAUNCH", launch.replace("\n", "\n        "))
    text = text.replace("START", start.replace("\n", "\n        ")).replace("MAIN", main.replace("\n", "\n    "))
    return [code for _, code in marks(text.replace("MORE", more)) if code == "LP111"]


@pytest.mark.parametrize(
    ("launch", "start", "main"),
    [
        pytest.param(_BY_SLOT, _START, _MAIN, id="in a dict"),
        pytest.param(_IN_LIST, _START, _MAIN, id="in a list"),
        pytest.param(f"{_LAUNCH}self.keep(process)", _START, _MAIN, id="by another method"),
        pytest.param(f"{_LAUNCH}self.newest = process", _START, _MAIN, id="the one before"),
        pytest.param(
            "process = mp.Process(target=self.crawl, args=(slot,))\nself.started.append(process)\nprocess.start()",
            _START,
            _MAIN,
            id="kept before it is started",
        ),
        pytest.param(f"number = self.count\nself.count += 1\n{_BY_COUNT}", _START, _MAIN, id="by its count"),
        pytest.param(f"number = self.count\nself.count = number + 1\n{_BY_COUNT}", _START, _MAIN, id="by the next one"),
        pytest.param(_IN_LIST, "while len(self.started) < 3:\n    self.launch(0)", _MAIN, id="until there are enough"),
        pytest.param(_IN_LIST, "self.launch(0)\nself.launch(1)", _MAIN, id="twice"),
        pytest.param(_BY_SLOT, "pass", "for slot in range(2):\n    supervisor.launch(slot)", id="a loop of main"),
        pytest.param(_BY_SLOT, "pass", "supervisor.launch(0)\nsupervisor.launch(1)", id="twice by main"),
        pytest.param(_BY_SLOT, "self.launch(len(self.crawlers))", "while True:\n    supervisor.start()", id="two up"),
        pytest.param(
            "self.started.append(POOL.submit(self.crawl, slot))",
            "for slot in range(len(self.hosts)):\n    self.launch(slot)",
            "supervisor.start()",
            id="futures",
        ),
    ],
)
def test_what_an_earlier_run_has_left(launch: str, start: str, main: str) -> None:
    assert _found(launch, start, main) == ["LP111"]


@pytest.mark.parametrize(
    ("launch", "start", "main", "more"),
    [
        pytest.param(_BY_SLOT, "self.launch(0)", _MAIN, "", id="once"),
        pytest.param(
            _BY_SLOT, "self.launch(0)", "if supervisor.hosts:\n    supervisor.start()", "", id="once, if at all"
        ),
        pytest.param(
            _BY_SLOT,
            "pass",
            "for host in ['a', 'b']:\n    one = Supervisor([host])\n    one.launch(0)",
            "",
            id="another object in each round",
        ),
        pytest.param(
            "self.newest = mp.Process(target=self.crawl, args=(slot,))\nself.newest.start()",
            _START,
            _MAIN,
            "",
            id="the new one replaces the old one before it is started",
        ),
        pytest.param(
            "self.crawlers['crawler'] = mp.Process(target=self.crawl, args=(slot,))\nself.crawlers['crawler'].start()",
            _START,
            _MAIN,
            "",
            id="the same under one key",
        ),
        pytest.param(f"number = self.count\n{_BY_COUNT}", _START, _MAIN, "", id="a number that stays as it is"),
        pytest.param(_BY_SLOT, "for slot in (0, 1):\n    self.reset()\n    self.launch(slot)", _MAIN, "", id="reset"),
        pytest.param(
            _IN_LIST,
            "for slot in (0, 1):\n    self.launch(slot)\n    self.started.pop().join()",
            _MAIN,
            "",
            id="taken out again",
        ),
        pytest.param(
            "process = mp.Process(target=crawl, args=(slot,))\nprocess.start()\nself.crawlers[slot] = process",
            _START,
            _MAIN,
            "def crawl(slot):\n    print(slot)\n",
            id="a function of the module is sent",
        ),
        pytest.param(f"{_LAUNCH}self.crawlers[slot] = process.name", _START, _MAIN, "", id="a name is kept"),
        pytest.param(
            _BY_SLOT,
            _START,
            _MAIN,
            "    def __getstate__(self):\n        return {**self.__dict__, 'crawlers': {}}\n",
            id="left out of the state",
        ),
        pytest.param(
            _BY_SLOT,
            "if len(self.hosts) > 1:\n    self.launch(1)\nelse:\n    self.launch(0)",
            _MAIN,
            "",
            id="one or the other",
        ),
    ],
)
def test_what_is_not_there_when_it_is_sent(launch: str, start: str, main: str, more: str) -> None:
    assert _found(launch, start, main, more) == []
