"""LP318: reader-leaves-early."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, marks


class TestPage(PageTests):
    code = "LP318"


_PROGRAM = """
import multiprocessing as mp


def is_good(row):
    return row > 3


def produce(queue, rows):
    for row in rows:
        PUT
    queue.put(None)


def total(queue):
    amount = 0
    for row in iter(queue.get, None):
        if CONDITION:
            raise ValueError(row)
        amount += row
    return amount


def search(limit, rows):
    queue = mp.Queue(SIZE)
    producer = mp.Process(target=produce, args=(queue, rows))
    producer.start()
    found = []
    while True:
        row = queue.get()
        APPEND
        LEAVE
    END
    producer.join(TIMEOUT)
    return found


def add(rows):
    queue = mp.Queue(SIZE)
    producer = mp.Process(target=produce, args=(queue, rows))
    producer.start()
    try:
        print(total(queue))
    finally:
        END
        producer.join(TIMEOUT)


if __name__ == "__main__":
    search(3, list(range(1000)))
    add(list(range(1000)))
"""
_SOME = "if row % 7 == 0:\n            found.append(row)"
_ENOUGH = "if len(found) == limit:\n            break"
_MARK = "if row is None:\n            break"


def _found(
    append: str = _SOME,
    leave: str = _MARK,
    condition: str = "row is None",
    size: str = "8",
    end: str = "pass",
    timeout: str = "",
    put: str = "queue.put(row)",
) -> bool:
    text = _PROGRAM.replace("APPEND", append).replace("LEAVE", leave).replace("CONDITION", condition)
    text = text.replace("SIZE", size).replace("END", end).replace("TIMEOUT", timeout).replace("PUT", put)
    return "LP318" in [code for _, code in marks(text)]


_WAYS = [
    {"leave": _ENOUGH},
    {"leave": _ENOUGH, "append": "if is_good(row):\n            found.append(row)"},
    {"leave": _ENOUGH.replace("==", ">="), "append": "if row > 5:\n            found.append(row)"},
    {"condition": "row < 0"},
    {"condition": "not is_good(row)"},
]


@pytest.mark.parametrize("way", _WAYS)
def test_readers_that_leave(way: dict[str, str]) -> None:
    assert _found(**way)
    assert _found(**way, size="maxsize=4")


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize(
    "cure",
    [
        {"size": ""},
        {"size": "0"},
        {"end": "producer.terminate()"},
        {"end": "producer.kill()"},
        {"end": "list(iter(queue.get, None))"},
        {"timeout": "timeout=5"},
        {"put": "queue.put(row, timeout=5)"},
        {"put": "pass"},
    ],
)
def test_processes_that_end_all_the_same(way: dict[str, str], cure: dict[str, str]) -> None:
    assert not _found(**way, **cure)


@pytest.mark.parametrize(
    "way",
    [
        {},
        {"leave": _ENOUGH, "append": "found.append(row)"},
        {"leave": _ENOUGH, "append": "if row == 'end':\n            found.append(row)"},
        {"leave": _ENOUGH, "append": "if row is None:\n            found.append(row)"},
        {"condition": "row == 'error'"},
        {"condition": "isinstance(row, Exception)"},
    ],
)
def test_readers_that_may_have_read_all(way: dict[str, str]) -> None:
    # Who counts end marks, or as many items as there are, has read them all; an error may be the last that comes.
    assert not _found(**way)


_ACTORS = """
import multiprocessing as mp
import time


class Actor:
    def __init__(self, number, out, stop):
        self.number = number
        self.out = out
        self.stop = stop

    def run(self):
        while not self.stop.is_set():
            self.out.put((self.number, [0.0] * 100))


def launch(actor):
    actor.run()


def consume(rollouts):
    print(rollouts.get())


class Learner:
    def __init__(self):
        self.rollouts = mp.Queue(maxsize=4)
        self.stop = mp.Event()
        self.actors = [
            mp.Process(target=launch, args=(Actor(number, self.rollouts, self.stop),)) for number in range(2)
        ]

    def train(self, updates):
        for actor in self.actors:
            actor.start()
        for _ in range(updates):
            print(self.rollouts.get())
        self.shutdown()

    def shutdown(self):
        self.stop.set()
        for actor in self.actors:
            actor.join()


if __name__ == "__main__":
    Learner().train(20)
"""
_COUNTED, _SET, _PUT = "for _ in range(updates):", "self.stop.set()\n", "self.out.put((self.number, [0.0] * 100))"


def _is_stopped_too_late(*changes: tuple[str, str]) -> bool:
    return "LP318" in [code for _, code in marks(changed(_ACTORS, *changes))]


@pytest.mark.parametrize(
    "changes",
    [
        (),
        (("maxsize=4", "4"),),
        ((_COUNTED, "step = 0\n        while step < updates:\n            step += 1"),),
        (
            (
                "target=launch, args=(Actor(number, self.rollouts, self.stop),)",
                "target=Actor(number, self.rollouts, self.stop).run",
            ),
        ),
    ],
)
def test_processes_that_wait_for_room_when_they_are_told_to_stop(changes: tuple[tuple[str, str], ...]) -> None:
    assert _is_stopped_too_late(*changes)


@pytest.mark.parametrize(
    "changes",
    [
        (("maxsize=4", ""),),  # gap: what is large waits for room in the pipe
        ((_SET, _SET + "        while not self.rollouts.empty():\n            self.rollouts.get_nowait()\n"),),
        ((_SET, _SET + "        for actor in self.actors:\n            actor.terminate()\n"),),
        ((_PUT, "self.out.put((self.number, [0.0] * 100), timeout=5)"),),
        ((_PUT, _PUT + "\n            time.sleep(1)"),),
        ((_PUT, _PUT + "\n            break"),),
        (("actor.join()", "actor.join(timeout=5)"),),
        (("            actor.join()", "            print(actor)"),),
        (
            (
                "        self.shutdown()",
                "        mp.Process(target=consume, args=(self.rollouts,)).start()\n        self.shutdown()",
            ),
        ),
        ((_SET, "print(self.stop)\n"),),
    ],
    ids=[
        "unlimited",
        "drained",
        "terminated",
        "put with a timeout",
        "now and then",
        "once",
        "join with a timeout",
        "not joined",
        "read by another",
        "not told to stop",
    ],
)
def test_processes_that_get_to_their_end(changes: tuple[tuple[str, str], ...]) -> None:
    assert not _is_stopped_too_late(*changes)
