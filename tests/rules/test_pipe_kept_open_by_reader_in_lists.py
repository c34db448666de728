"""LP312: ends of pipes that are kept in lists, returned, or entered by another part of the program."""

from __future__ import annotations

import pytest

from tests.support import lint

_KEEPERS = """\
from dataclasses import dataclass
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection, wait
{imports}

@dataclass
class Channel:
    name: str
    process: Process
    reader: Connection
    writer: Connection


def produce(count, out):
    for number in range(count):
        out.send(number)
    out.close()


class Relay:
    def __init__(self):
        self.channels = []
        self.ends = {{}}

    def connect(self, name):
        reader, writer = Pipe(duplex=False)
        process = Process(target=produce, args=(3, writer), name=name)
        process.start()
        {keeps}

    def listen(self):
        lines = {lines}
        while lines:
            for reader in {waits}:
                try:
                    row = reader.recv()
                except EOFError:
                    lines.remove(reader)
                else:
                    {then}

    def shutdown(self):
        for channel in self.channels:
            channel.process.join()
            {close}


def main():
    relay = Relay()
    relay.connect("north")
    relay.connect("south")
    {before}
    relay.listen()
    relay.shutdown()


if __name__ == "__main__":
    main()
"""
_APPENDED = "self.channels.append(Channel(name, process, reader, writer))"


def _of_relay(
    keeps: str = _APPENDED,
    lines: str = "[each.reader for each in self.channels]",
    waits: str = "wait(lines)",
    then: str = "print(row)",
    close: str = "channel.reader.close()",
    before: str = "print('listens')",
    imports: str = "",
) -> list[int]:
    text = _KEEPERS.format(
        keeps=keeps, lines=lines, waits=waits, then=then, close=close, before=before, imports=imports
    )
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"keeps": "self.channels.append(Channel(name, process, reader=reader, writer=writer))"},
        {"keeps": "self.ends[reader] = writer", "lines": "list(self.ends)"},
        {"keeps": "self.ends[reader] = (name, writer)", "lines": "list(self.ends)"},
        {"keeps": "self.channels.append((process, reader, writer))", "lines": "[each[1] for each in self.channels]"},
        {"waits": "wait(list(lines))"},
    ],
)
def test_an_end_that_is_kept_beside_the_process(changes: dict[str, str]) -> None:
    assert _of_relay(**changes) == [36]


@pytest.mark.parametrize(
    "changes",
    [
        {"keeps": "writer.close(); " + _APPENDED},
        {"keeps": _APPENDED + "; writer.close()"},
        {"keeps": "self.channels.append(Channel(name, process, reader, None))"},
        {"keeps": "self.channels.append(remember(name, process, reader, writer))"},
        {"keeps": _APPENDED.replace("append", "append_later")},
        {"before": "for each in relay.channels:\n        each.writer.close()"},
        {"before": "relay.channels[0].writer.close()"},
        {"before": "for _, _, _, line in relay.channels:\n        line.close()"},
        {"before": "relay.channels.clear()"},
        {"before": "relay.channels = []"},
        {"close": "channel.writer.close()"},
        {"waits": "wait(lines, 5)"},
        {"waits": "wait(lines, timeout=5)"},
        {"waits": "lines"},
        {"then": "break"},
        {"then": "lines.remove(reader)"},
        {"then": "lines = [line for line in lines if line is not reader]"},
        {"then": "return row"},
        {"imports": "from threading import Thread\n"},
        {"imports": "from multiprocessing.connection import Listener\n"},
        {"imports": "from contextlib import closing\n"},
    ],
)
def test_an_end_that_is_not_kept_or_a_loop_with_another_end(changes: dict[str, str]) -> None:
    assert _of_relay(**changes) == []


_LAUNCHED = """\
from dataclasses import dataclass
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection


@dataclass
class Job:
    source: Connection
    sink: Connection


def produce(count, sink):
    for number in range(count):
        sink.send(number)
    sink.close()


def launch(count):
    source, sink = Pipe(duplex=False)
    process = Process(target=produce, args=(count, sink))
    process.start()
    return {given}


def drain(job):
    {first}
    while True:
        try:
            print({read}.recv())
        except EOFError:
            break


def main():
    job = launch(3)
    drain(job)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("given", "first", "read", "row"),
    [
        ("Job(source, sink)", "print('drains')", "job.source", 29),
        ("Job(source, None)", "print('drains')", "job.source", 0),
        ("Job(source, sink)", "job.sink.close()", "job.source", 0),
        ("Job(source, sink)", "job = job.source", "job", 0),  # Nothing is seen to hold the other end any more.
        ("(source, sink)", "job = job[0]", "job", 0),
    ],
)
def test_an_end_that_is_returned_with_the_other(given: str, first: str, read: str, row: int) -> None:
    text = _LAUNCHED.format(given=given, first=first, read=read)
    assert [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"] == [row] * bool(row)


_SEVERAL = """\
import multiprocessing as mp


def work(frames, others=None):
    while True:
        try:
            print(frames.recv())
        except EOFError:
            break


def main():
    workers, connections = [], []
    for _ in range(3):
        ours, theirs = mp.Pipe()
        worker = mp.Process(target=work, args={args})
        worker.start()
        {keep}
    {close}
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
"""
_KEEP = "workers.append(worker)\n        connections.append(ours)"
_CLOSE = "for each in connections:\n        each.close()"
_IN_PAIRS = {
    "keep": "workers.append(worker)\n        connections.append((worker, ours))",
    "close": "for _, each in connections:\n        each.send(1)\n        each.close()",
}


def _found_in_several(args: str = "(theirs,)", keep: str = _KEEP, close: str = _CLOSE) -> list[int]:
    found = lint(_SEVERAL.format(args=args, keep=keep, close=close)).diagnostics
    return [each.location.start.row for each in found if each.code == "LP312"]


@pytest.mark.parametrize("changes", [{}, _IN_PAIRS])
def test_ends_that_a_loop_closes_and_forked_workers_inherit(changes: dict[str, str]) -> None:
    assert _found_in_several(**changes) == [7]


@pytest.mark.parametrize(
    "changes",
    [
        {"close": "for each in connections:\n        each.send(1)"},
        {"close": "for each in connections:\n        each.send(1)\n        theirs.close()"},
        {"args": "(theirs, connections)"},
        {"close": "for each, _ in connections:\n        each.close()", "keep": _IN_PAIRS["keep"]},
        {"keep": "workers.append(worker)", "close": "connections.clear()"},
    ],
)
def test_ends_in_a_list_that_nothing_closes_or_that_is_given(changes: dict[str, str]) -> None:
    assert _found_in_several(**changes) == []


_MANAGER = """\
import multiprocessing as mp
from contextlib import contextmanager


def produce(rows):
    rows.send(1)
    rows.close()


@contextmanager
def producing():
    reader, writer = mp.Pipe(duplex=False)
    worker = mp.Process(target=produce, args=(writer,))
    worker.start()
    {gives}
    writer.close()
    worker.join()


def collect(rows):
    while True:
        try:
            print(rows.recv())
        except EOFError:
            return


def main():
    with producing() as rows:
        {reads}


if __name__ == "__main__":
    main()
"""
_COLLECT = "collect(rows)"
_HERE = """while True:
            try:
                print(rows.recv())
            except EOFError:
                break"""


@pytest.mark.parametrize(("reads", "row"), [(_COLLECT, 23), (_HERE, 32)])
def test_a_context_manager_has_the_end_while_the_other_one_is_read(reads: str, row: int) -> None:
    found = lint(_MANAGER.format(gives="yield reader", reads=reads)).diagnostics
    assert [(each.code, each.location.start.row) for each in found] == [("LP312", row)]


@pytest.mark.parametrize(
    ("gives", "reads"),
    [
        ("writer.close()\n    yield reader", _COLLECT),
        ("yield writer", _COLLECT),
        ("yield reader", "print(rows.recv())"),
        ("yield reader", "print(rows)"),
    ],
)
def test_a_context_manager_that_has_closed_it_or_is_not_read_to_the_end(gives: str, reads: str) -> None:
    assert not lint(_MANAGER.format(gives=gives, reads=reads)).diagnostics


_OF_PAIR = """\
import multiprocessing as mp


def work(pipe, results=None):
    {unpacked}
    {begin}
    while True:
        try:
            print({read})
        except EOFError:
            break


def main():
    ends = mp.Pipe()
    worker = mp.Process(target=work, args={args})
    worker.start()
    first, second = ends
    {then}


class Service:
    def work(self):
        ours, theirs = self.ends
        while True:
            try:
                print(theirs.recv())
            except EOFError:
                break

    def run(self):
        self.ends = mp.Pipe()
        worker = mp.Process(target={method})
        worker.start()
        ours, theirs = self.ends
        theirs.close()
        ours.close()
        worker.join()


if __name__ == "__main__":
    main()
    Service().run()
"""
_CLOSED = "second.close()\n    first.send('a')\n    first.close()\n    worker.join()"
_READ_IN_MAIN = (
    "while True:\n        try:\n            print(first.recv())\n        except EOFError:\n            break"
)


def _of_pair(
    unpacked: str = "ours, theirs = pipe",
    begin: str = "pass",
    read: str = "theirs.recv()",
    args: str = "(ends,)",
    then: str = _CLOSED,
    method: str = "work",
) -> list[int]:
    text = _OF_PAIR.format(unpacked=unpacked, begin=begin, read=read, args=args, then=then, method=method)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        pytest.param({}, 9, id="unpacked by both"),
        pytest.param({"begin": "ours.send('a')"}, 9, id="it sends by the other end"),
        pytest.param(
            {
                "unpacked": "theirs, ours = pipe",
                "then": _CLOSED.replace("first", "ends[1]").replace("second", "ends[0]"),
            },
            9,
            id="by its place",
        ),
        pytest.param(
            {"read": "1", "then": _READ_IN_MAIN, "begin": "theirs.send('a')"}, 21, id="the main process reads"
        ),
        pytest.param({"method": "self.work", "begin": "ours.close()"}, 30, id="an attribute"),
    ],
)
def test_both_ends_as_one_tuple(changes: dict[str, str], row: int) -> None:
    assert _of_pair(**changes) == [row]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"begin": "ours.close()"}, id="the worker closes it"),
        pytest.param({"begin": "pipe[0].close()"}, id="the worker closes it by its place"),
        pytest.param({"begin": "finish(ours)"}, id="the worker gives it away"),
        pytest.param({"then": _CLOSED.replace("first.close()", "pass")}, id="the main process does not end it"),
        pytest.param({"then": _CLOSED.replace("join()", "terminate()")}, id="it is ended"),
        pytest.param({"args": "((ends[1], ends[1]),)"}, id="another tuple"),
        pytest.param(
            {"read": "1", "then": f"second.close()\n    {_READ_IN_MAIN}", "begin": "theirs.send('a')"},
            id="the main process closes it first",
        ),
        pytest.param(
            {"read": "1", "then": f"ends[1].close()\n    {_READ_IN_MAIN}", "begin": "theirs.send('a')"},
            id="the main process closes it first by its place",
        ),
    ],
)
def test_both_ends_as_one_tuple_that_is_closed(changes: dict[str, str]) -> None:
    assert _of_pair(**changes) == []
