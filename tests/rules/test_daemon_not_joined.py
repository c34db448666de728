"""LP236: daemon-not-joined."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP236"


PROGRAM = """\
import multiprocessing as mp
import threading
import time

STOP = "stop"


def save(rows):
    READ


OTHERSdef main(numbers):
    rows, others = mp.Queue(), mp.Queue()
    MAKE
    process.start()
    for number in numbers:
        rows.put(number)
    END


if __name__ == "__main__":
    main([1, 2])
"""
ANSWER = """\
def answer(rows, replies):
    for row in iter(rows.get, None):
        print(row)
    replies.put("done")


"""
WORK = """\
def work(others):
    print(others.get())


"""
_READ = "for row in iter(rows.get, None):\n        print(row)"
_MAKE = "process = mp.Process(target=save, args=(rows,), daemon=True)"
_END = "rows.put(None)"


def _found(read: str = _READ, make: str = _MAKE, end: str = _END) -> list[str]:
    others = ANSWER * ("target=answer" in make) + WORK * ("target=work" in make)
    program = PROGRAM.replace("OTHERS", others).replace("READ", read).replace("MAKE", make).replace("END", end)
    return [code for _, code in marks(program) if code == "LP236"]


@pytest.mark.parametrize(
    ("read", "end"),
    [
        (_READ, "rows.put(None)"),
        (_READ, "rows.put_nowait(None)"),
        (_READ, "rows.put(None)\n    rows.close()\n    rows.join_thread()"),
        (_READ, "rows.put(None)\n    print(', '.join(map(str, numbers)))"),
        ("while True:\n        row = rows.get()\n        if row is None:\n            break\n        print(row)", _END),
        ("while True:\n        if (row := rows.get()) is None:\n            return\n        print(row)", _END),
        ("while (row := rows.get()) is not None:\n        print(row)", _END),
        (
            "while True:\n        row = rows.get()\n        if row == STOP:\n            break\n        print(row)",
            "rows.put(STOP)",
        ),
        ("for row in iter(rows.get, 'stop'):\n        print(row)", "rows.put('stop')"),
    ],
)
def test_what_reads_to_the_end(read: str, end: str) -> None:
    assert _found(read, end=end) == ["LP236"]


@pytest.mark.parametrize(
    "make",
    [
        "process = mp.Process(target=save, args=(rows,))\n    process.daemon = True",
        "process = mp.get_context('spawn').Process(target=save, kwargs={'rows': rows}, daemon=True)",
        "asker = mp.Process(target=answer, args=(mp.Queue(), others))\n    asker.start()\n    asker.join()\n    "
        + _MAKE,
        "helper = mp.Process(target=work, args=(others,))\n    helper.start()\n    helper.join()\n    " + _MAKE,
    ],
)
def test_daemons(make: str) -> None:
    assert _found(make=make) == ["LP236"]


@pytest.mark.parametrize(
    "make",
    [
        "process = mp.Process(target=save, args=(rows,))",
        "process = mp.Process(target=save, args=(rows,), daemon=len(numbers) > 1)",
        "process = threading.Thread(target=save, args=(rows,), daemon=True)",
        "process = mp.Process(target=save, args=(rows,), daemon=True)\n    process.daemon = False",
    ],
)
def test_others(make: str) -> None:
    assert _found(make=make) == []


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("rows.put(None)\n    process.join()", id="joined"),
        pytest.param("rows.put(None)\n    process.join(timeout=5)", id="joined for some time"),
        pytest.param("rows.put(None)\n    for each in (process,):\n        each.join()", id="joined in a loop"),
        pytest.param("rows.put(None)\n    for each in mp.active_children():\n        each.join()", id="all children"),
        pytest.param("rows.put(None)\n    while process.is_alive():\n        pass", id="asked"),
        pytest.param("rows.put(None)\n    time.sleep(1)", id="a pause"),
        pytest.param("rows.put(None)\n    print(others.get())", id="something is received"),
        pytest.param("rows.put(None)\n    process.terminate()", id="terminated"),
        pytest.param("pass", id="never told to end"),
        pytest.param("others.put(None)", id="another queue"),
        pytest.param("rows.put(0)", id="another value"),
    ],
)
def test_what_waits_or_does_not_tell(end: str) -> None:
    assert _found(end=end) == []


def test_an_answer() -> None:
    make = "process = mp.Process(target=answer, args=(rows, others), daemon=True)"
    assert _found(make=make, end="rows.put(None)\n    print(others.get())") == []


TRAIL = """\
import multiprocessing as mp


def write(events):
    for event in iter(events.get, None):
        print(event)


class Trail:
    def __init__(self):
        self.events = mp.Queue()
        self.writer = mp.Process(target=write, args=(self.events,), daemon=True)
        self.writer.start()

    def record(self, event):
        self.events.put(event)

    def close(self):
        self.events.put(None)
"""
MAIN = """\
from trail import Trail


def main():
    trail = Trail()
    trail.record("begin")
    trail.close()
    END


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("end", "fires"), [("print('end')", True), ("trail.writer.join()", False), ("input('press a key')", False)]
)
def test_other_modules_may_wait(end: str, fires: bool, tmp_path: Path) -> None:
    (tmp_path / "trail.py").write_text(TRAIL)
    (tmp_path / "main.py").write_text(MAIN.replace("END", end))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert [each.code for each in found] == ["LP236"] * fires


MARKED = """\
while True:
        row = rows.get()
        if row is None:
            rows.task_done()
            break
        print(row)
        rows.task_done()
"""


@pytest.mark.parametrize(
    ("end", "fires"),
    [
        # It returns once all items are marked as done, and the sentinel with them.
        ("rows.put(None)\n    rows.join()", False),
        # It has returned before: nothing but the sentinel may be left.
        ("rows.join()\n    rows.put(None)", False),
        # It is another queue.
        ("rows.put(None)\n    others.join()", True),
        ("rows.put(None)", True),
    ],
)
def test_a_queue_whose_items_are_marked_as_done(end: str, fires: bool) -> None:
    program = PROGRAM.replace("OTHERS", "").replace("READ", MARKED).replace("MAKE", _MAKE).replace("END", end)
    found = [code for _, code in marks(program.replace("mp.Queue()", "mp.JoinableQueue()"))]
    assert ("LP236" in found) is fires
