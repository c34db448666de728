"""LP312: pipe-kept-open-by-reader."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP312"


_PROGRAM = """\
import multiprocessing as mp


def read({parameters}):
    {begin}
    number = 0
{loop}
    print(number)


class Reader(mp.Process):
    def __init__(self, frames):
        super().__init__(daemon=True)
        self.frames = frames

    def run(self):
        read(self.frames)


def main(numbers):
    results = mp.SimpleQueue()
    reader, writer = {pipe}
    worker = {worker}
    worker.start()
    {after}


if __name__ == "__main__":
    main(range(9))
"""
_LOOP = """\
    while True:
        try:
            number += len(frames.recv())
        except EOFError:
            break
"""
_AROUND = """\
    try:
        while True:
            number += len(frames.recv_bytes())
    except EOFError:
        pass
"""
_PIPE, _WORKER = "mp.Pipe(duplex=False)", "mp.Process(target=read, args=(reader,))"
_AFTER = "for number in numbers:\n        writer.send(number)\n    writer.close()\n    worker.join()"


def _found(
    loop: str = _LOOP,
    pipe: str = _PIPE,
    worker: str = _WORKER,
    after: str = _AFTER,
    parameters: str = "frames",
    begin: str = "print('begins')",
) -> list[int]:
    text = _PROGRAM.format(loop=loop, pipe=pipe, worker=worker, after=after, parameters=parameters, begin=begin)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]


@pytest.mark.parametrize(
    ("loop", "row"),
    [
        (_LOOP, 9),
        (_AROUND, 9),
        (_LOOP.replace("break", "return"), 9),
        (_LOOP.replace("EOFError", "(EOFError, KeyboardInterrupt)"), 9),
        (_LOOP.replace("while True", "while 1"), 9),
        (_LOOP.replace("            number += len(frames.recv())", "            row = frames.recv()"), 9),
    ],
)
def test_a_loop_until_the_end(loop: str, row: int) -> None:
    assert _found(loop=loop) == [row]


@pytest.mark.parametrize(
    "loop",
    [
        "    number += len(frames.recv())\n",
        "    while number < 9:\n        number += len(frames.recv())\n",
        "    while True:\n        number += len(frames.recv())\n",
        _LOOP.replace("EOFError", "ValueError"),
        _LOOP.replace("while True", "while number < 9"),
        _LOOP.replace("while True", "for _ in range(9)"),
        _LOOP + "        if number > 9:\n            break\n",
        _LOOP + "        if number > 9:\n            return\n",
        "    while frames.poll(1):\n        number += len(frames.recv())\n",
        "    for row in iter(frames.recv, None):\n        number += len(row)\n",
    ],
)
def test_a_loop_with_another_end(loop: str) -> None:
    assert _found(loop=loop) == []


@pytest.mark.parametrize(
    ("pipe", "worker", "is_kept"),
    [
        (_PIPE, _WORKER, True),
        ("mp.Pipe()", _WORKER, True),
        (_PIPE, "Reader(reader)", True),
        (_PIPE, "mp.get_context('fork').Process(target=read, args=(reader,))", True),
        (_PIPE, "mp.get_context('spawn').Process(target=read, args=(reader,))", False),
        (_PIPE, "mp.get_context('forkserver').Process(target=read, args=(reader,))", False),
        ("opened()", _WORKER, False),
    ],
)
def test_how_the_worker_starts(pipe: str, worker: str, is_kept: bool) -> None:
    assert _found(pipe=pipe, worker=worker) == [9] * is_kept


@pytest.mark.parametrize(
    ("begin", "row"),
    [("print('begins')", 9), ("other.send('a')", 9), ("other.close()", 0), ("del other", 0), ("finish(other)", 0)],
)
def test_a_worker_that_gets_both_ends(begin: str, row: int) -> None:
    worker = "mp.Process(target=read, args=(reader, writer))"
    assert _found(worker=worker, parameters="frames, other", begin=begin) == [row] * bool(row)
    assert _found(worker=worker.replace("reader, writer", "writer, reader"), parameters="other, frames") == [9]


@pytest.mark.parametrize(
    ("worker", "parameters"),
    [
        ("mp.get_context('spawn').Process(target=read, args=(reader, writer))", "frames, other"),
        ("mp.get_context('forkserver').Process(target=read, args=[writer, results, reader])", "other, found, frames"),
    ],
)
def test_a_worker_that_gets_both_ends_under_every_start_method(worker: str, parameters: str) -> None:
    assert _found(worker=worker, parameters=parameters) == [9]
    assert _found(worker=worker, parameters=parameters, begin="other.close()") == []
    assert _found(worker=worker, parameters=parameters, after="writer.send('a'); worker.join(5)") == []


_AS_ONE = "mp.Process(target=read, args=((reader, writer), results))"


@pytest.mark.parametrize(
    ("worker", "begin", "row"),
    [
        (_AS_ONE, "frames, other = both", 9),
        (_AS_ONE, "frames, other = both; other.send('a')", 9),
        (_AS_ONE.replace("reader, writer", "writer, reader"), "other, frames = both", 9),
        (_AS_ONE, "frames, other = both; other.close()", 0),
        (_AS_ONE, "frames, other = both; both[1].close()", 0),
        (_AS_ONE, "frames, other = both; finish(both)", 0),
        (_AS_ONE, "frames, other = both; finish(other)", 0),
        (_AS_ONE.replace("writer)", "None)").replace("mp.", "mp.get_context('spawn')."), "frames, other = both", 0),
    ],
)
def test_a_worker_that_is_given_both_ends_as_one(worker: str, begin: str, row: int) -> None:
    assert _found(worker=worker, parameters="both, found", begin=begin) == [row] * bool(row)


@pytest.mark.parametrize(("ends", "rows"), [("(reader, writer)", [9]), ("(reader, _), writer", [])])
def test_ends_that_are_named_with_other_things_at_once(ends: str, rows: list[int]) -> None:
    text = _PROGRAM.format(
        parameters="both, found", begin="frames, other = both", loop=_LOOP, pipe="ENDS", worker=_AS_ONE, after=_AFTER
    )
    made = f"{ends}, more = mp.Pipe(duplex=False), 3" if rows else f"{ends}, more = mp.Pipe(duplex=False), None, 3"
    found = lint(text.replace("reader, writer = ENDS", made)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP312"] == rows


@pytest.mark.parametrize(
    ("after", "is_kept"),
    [
        (_AFTER, True),
        ("reader.close(); writer.send('a'); writer.close(); print(results.get()); worker.join()", True),
        ("writer.send('a'); writer.close()", False),
        ("writer.send('a'); writer.close(); worker.join(5)", False),
        ("writer.send('a'); writer.close(); worker.terminate(); worker.join()", False),
        ("writer.send('a'); writer.close(); worker.kill(); worker.join()", False),
    ],
)
def test_what_the_main_process_does_then(after: str, is_kept: bool) -> None:
    assert _found(after=after) == [9] * is_kept


@pytest.mark.parametrize(
    ("after", "is_late"),
    [
        ("writer.send('a'); worker.join()", True),
        ("reader.close(); writer.send('a'); worker.join(); writer.close()", True),
        ("reader.close(); worker.join()", True),
        ("writer.send('a'); worker.join(5); writer.close()", False),
        ("writer.send('a'); worker.terminate(); worker.join(); writer.close()", False),
        ("numbers.append(writer); worker.join(); writer.close()", False),
        ("with writer:\n        writer.send('a')\n    worker.join()", False),
        ("threading.Timer(5, print).start(); worker.join()", False),
    ],
)
@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_what_the_main_process_waits_for_first(after: str, is_late: bool, method: str) -> None:
    text = _PROGRAM.format(
        loop=_LOOP, pipe=_PIPE, worker=_WORKER, after=after, parameters="frames", begin="print('begins')"
    ).replace("import multiprocessing as mp", f"import multiprocessing as mp\n\nmp.set_start_method('{method}')")
    joined = [at for at, row in enumerate(text.splitlines(), 1) if "worker.join()" in row]
    found = [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]
    assert [each for each in found if each in joined] == joined * is_late


_KEEPER = """\
import multiprocessing as mp


def count(rows):
    number = 0
    while True:
        try:
            number += len(rows.recv())
        except EOFError:
            return


class Counter:
    def __init__(self):
        rows, self.rows = mp.Pipe(duplex=False)
        self.worker = mp.Process(target=count, args=(rows,))
        self.worker.start()
        rows.close()

    def add(self, row):
        self.rows.send(row)

    def finish(self):
        {finish}
{more}

if __name__ == "__main__":
    mp.set_start_method("spawn")
    counter = Counter()
    counter.add("four")
    {use}
"""


@pytest.mark.parametrize(
    ("finish", "more", "use", "rows"),
    [
        ("self.worker.join(); self.rows.close()", "", "counter.finish()", [24]),
        ("self.worker.join()", "", "counter.finish()", [24]),
        ("self.rows.close(); self.worker.join()", "", "counter.finish()", []),
        (
            "self.worker.join()",
            "    def end(self):\n        self.rows.close()\n",
            "counter.end(); counter.finish()",
            [],
        ),
        ("self.worker.join()", "", "counter.rows.close(); counter.finish()", []),
    ],
)
def test_an_object_that_waits_for_its_worker(finish: str, more: str, use: str, rows: list[int]) -> None:
    text = _KEEPER.format(finish=finish, more=more, use=use)
    assert [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"] == rows


_IN_MAIN = """\
import multiprocessing as mp
import {module}


def write(numbers, out):
    for number in numbers:
        out.send(number)
    out.close()


def collect(source):
    rows = []
    while True:
        try:
            rows.append(source.recv())
        except EOFError:
            return rows


def main(numbers):
    reader, writer = {pipe}
    worker = mp.Process(target=write, args={args})
    worker.start()
    {then}
    {read}
    {after}


if __name__ == "__main__":
    main(range(9))
"""
_READ = """\
total = 0
    while True:
        try:
            total += reader.recv()
        except EOFError:
            break"""
_CALLED = "rows = collect(reader)"


def _in_main(
    pipe: str = _PIPE,
    args: str = "(numbers, writer)",
    then: str = "print('reads')",
    read: str = _READ,
    after: str = "worker.join()",
    module: str = "time",
) -> list[int]:
    text = _IN_MAIN.format(module=module, pipe=pipe, args=args, then=then, read=read, after=after)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        ({}, 28),
        ({"pipe": "mp.Pipe()"}, 28),
        ({"pipe": "mp.get_context('spawn').Pipe()"}, 28),
        ({"args": "[numbers, writer]"}, 28),
        ({"read": _CALLED}, 15),
        ({"after": "worker.join()\n    writer.close()"}, 28),
        ({"then": "other = mp.Process(target=write, args=(numbers, writer)); other.start()"}, 28),
    ],
)
def test_the_main_process_reads_and_keeps_the_end_it_gave(changes: dict[str, str], row: int) -> None:
    assert _in_main(**changes) == [row]


@pytest.mark.parametrize(
    "changes",
    [
        {"then": "writer.close()"},
        {"then": "del writer"},
        {"then": "writer = None"},
        {"then": "finish(writer)"},
        {"then": "finish(writer)", "read": _CALLED},
        {"then": "reader = other(reader)"},
        {"read": _CALLED, "then": "writer.close()"},
        {"read": _READ.replace("reader.recv()", "reader.recv()\n            writer.close()")},
        {"read": _READ.replace("EOFError", "ValueError")},
        {"read": _READ.replace("while True", "for _ in numbers")},
        {"read": _READ + "\n        if total > 9:\n            break"},
        {"read": "print(reader.recv())"},
        {"read": "while reader.poll(1):\n        print(reader.recv())"},
        {"pipe": "opened()"},
        {"args": "(numbers, reader)", "then": "writer.close()"},
    ],
)
def test_the_main_process_does_not_keep_it_or_reads_otherwise(changes: dict[str, str]) -> None:
    assert _in_main(**changes) == []


_ONCE = "try:\n        print(reader.recv())\n    except EOFError:\n        print('the worker failed')"


def _once(is_pedantic: bool = True, /, then: str = "print('reads')", read: str = _ONCE, args: str = "") -> list[int]:
    args = args or "(numbers, writer)"
    text = _IN_MAIN.format(module="time", pipe=_PIPE, args=args, then=then, read=read, after="worker.join()")
    text = text.replace("def collect", "def first").replace("while True:", "if source:")
    found = lint(text, pedantic=is_pedantic).diagnostics
    return [each.location.start.row for each in found if each.code == "LP312"]


@pytest.mark.parametrize(
    ("read", "row"),
    [
        (_ONCE, 26),
        (_ONCE.replace("EOFError", "(EOFError, OSError) as error"), 26),
        ("rows = first(reader)", 15),
    ],
)
def test_a_read_that_catches_the_end_of_the_pipe(read: str, row: int) -> None:
    assert _once(read=read) == [row]
    assert _once(False, read=read) == []  # The worker may never fail.


@pytest.mark.parametrize(
    "changes",
    [
        {"then": "writer.close()"},
        {"read": "print(reader.recv())"},
        {"read": _ONCE.replace("EOFError", "ValueError")},
        {"read": _ONCE.replace("EOFError", "Exception")},
        {"read": "if reader.poll(9):\n        " + _ONCE.replace("\n", "\n    ")},
        {"read": f"worker.terminate()\n    {_ONCE}"},
        {"args": "(numbers, reader)"},
    ],
)
def test_a_read_that_does_not_wait_for_the_end(changes: dict[str, str]) -> None:
    assert _once(**changes) == []


def test_a_signal_may_close_it() -> None:
    assert _in_main(module="time") == [28]
    assert _in_main(module="signal") == []


def test_an_end_that_a_block_closes() -> None:
    block = "with writer:\n        for number in numbers:\n            writer.send(number)\n    {}"
    assert _found(after=block.format("worker.join()")) == [9]
    assert _found(after=block.format("print('sent')")) == []
