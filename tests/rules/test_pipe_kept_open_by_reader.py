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


def test_a_worker_that_is_given_both_ends_as_one() -> None:
    worker = "mp.Process(target=read, args=((reader, writer),))"
    assert _found(worker=worker, parameters="both", begin="frames, other = both; other.close()") == []


@pytest.mark.parametrize(
    ("after", "is_kept"),
    [
        (_AFTER, True),
        ("reader.close(); writer.send('a'); writer.close(); print(results.get()); worker.join()", True),
        ("writer.send('a'); worker.join()", False),
        ("writer.send('a'); writer.close()", False),
        ("writer.send('a'); writer.close(); worker.join(5)", False),
        ("writer.send('a'); writer.close(); worker.terminate(); worker.join()", False),
        ("writer.send('a'); writer.close(); worker.kill(); worker.join()", False),
        ("reader.close(); worker.join()", False),
    ],
)
def test_what_the_main_process_does_then(after: str, is_kept: bool) -> None:
    assert _found(after=after) == [9] * is_kept


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


def test_a_signal_may_close_it() -> None:
    assert _in_main(module="time") == [28]
    assert _in_main(module="signal") == []


_FEED = """\
import multiprocessing as mp


def write(numbers, out):
    for number in numbers:
        out.send(number)
    out.close()


class Feed:
    def __init__(self, numbers):
        {made}
        self.worker.start()
        {begin}

    def __iter__(self):
        while True:
            try:
                yield self.reader.recv()
            except EOFError:
                return

    def close(self):
        {close}


def main(numbers):
    feed = Feed(numbers)
    {use}
    feed.close()


if __name__ == "__main__":
    main(range(9))
"""
_MADE = """\
self.reader, self.writer = mp.Pipe(duplex=False)
        self.worker = mp.Process(target=write, args=(numbers, self.writer))"""
_LOCAL = """\
self.reader, writer = mp.Pipe(duplex=False)
        self.worker = mp.Process(target=write, args=(numbers, writer))"""


def _in_feed(
    made: str = _MADE,
    begin: str = "self.count = 0",
    close: str = "self.worker.join()",
    use: str = "for row in feed:\n        print(row)",
    more: str = "",
) -> list[int]:
    text = _FEED.format(made=made, begin=begin, close=close, use=use) + more
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"use": "print(sum(feed))"},
        {"close": "self.worker.join(); self.writer.close(); self.reader.close()"},
        {"made": _MADE.replace("writer", "sink")},
    ],
)
def test_an_object_reads_and_keeps_the_end_it_gave(changes: dict[str, str]) -> None:
    assert _in_feed(**changes) == [20]


@pytest.mark.parametrize(
    "changes",
    [
        {"begin": "self.writer.close()"},
        {"begin": "del self.writer"},
        {"begin": "self.writer = None"},
        {"begin": "hang_up(self.writer)"},
        {"made": _LOCAL},
        {"close": "self.worker.join(); self.writer.close()"},
        {"use": "feed.writer.close(); print(sum(feed))"},
        {"use": "print(next(iter(feed)))"},
        {"use": "for number, row in zip(numbers, feed):\n        print(row)"},
        {"use": "for row in feed:\n        if row is None:\n            break"},
        {"more": "from threading import Timer\n"},
    ],
)
def test_an_object_does_not_keep_it_or_may_be_read_in_part(changes: dict[str, str]) -> None:
    assert _in_feed(**changes) == []


def test_a_pipe_that_is_an_attribute_of_a_process() -> None:
    text = _FEED.format(made=_MADE, begin="", close="", use="print(sum(feed))").replace(
        "class Feed:", "class Feed(mp.Process):"
    )
    text = text.replace("self.worker = mp.Process(target=write, args=(numbers, self.writer))", "super().__init__()")
    # gap: what the class of a process keeps for itself
    assert "LP312" not in {each.code for each in lint(text.replace("self.worker.start()", "self.start()")).diagnostics}


_CHANNEL = """\
from contextlib import closing
from multiprocessing import Pipe, Process


class Channel:
    def __init__(self):
        self.reader, self.writer = Pipe(duplex=False)

    def __iter__(self):
        while True:
            try:
                item = self.reader.recv()
            except EOFError:
                return
            {ends}
            yield item

    def send(self, item):
        self.writer.send(item)

    def hang_up(self):
        self.writer.{closes}()
{method}

def produce(channel):
    for number in range(5):
        channel.send(number)
    channel.hang_up()


def main():
    channel = Channel()
    process = Process(target=produce, args=(channel,))
    {before}
    process.start()
    {after}
    {reads}
    process.join()


if __name__ == "__main__":
    main()
"""
_GOES_THROUGH = "for item in channel:\n        print(item)"
_BY_HAND = """\
while True:
        try:
            print(channel.reader.recv())
        except EOFError:
            break"""


def _of_channel(
    reads: str = _GOES_THROUGH,
    ends: str = "print(item)",
    before: str = "pass",
    after: str = "pass",
    method: str = "",
    closes: str = "close",
) -> list[int]:
    text = _CHANNEL.format(ends=ends, before=before, after=after, reads=reads, method=method, closes=closes)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]


@pytest.mark.parametrize(
    ("reads", "row"),
    [(_GOES_THROUGH, 12), ("print(list(channel))", 12), ("print([item + 1 for item in channel])", 12), (_BY_HAND, 39)],
)
def test_an_object_has_both_ends_and_main_reads_by_it(reads: str, row: int) -> None:
    assert _of_channel(reads) == [row]


@pytest.mark.parametrize(
    ("after", "rows"), [("pass", [12]), ("channel.writer.close()", []), ("channel.writer = None", []), ("del x", [])]
)
def test_an_object_of_which_only_the_end_is_given(after: str, rows: list[int]) -> None:
    methods, rest = _CHANNEL.index("    def send"), _CHANNEL.index("def produce")
    text = _CHANNEL[:methods] + "\n" + _CHANNEL[rest:].replace("(channel,)", "(channel.writer,)")
    text = text.replace("channel.hang_up", "channel.close")
    found = lint(text.format(ends="print(item)", before="pass", after=after, reads=_GOES_THROUGH)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP312"] == rows


def test_an_object_whose_methods_use_the_end_that_alone_is_given() -> None:
    text = _CHANNEL.replace("(channel,)", "(channel.writer,)").replace("channel.hang_up", "channel.close")
    parts = {"ends": "print(item)", "before": "pass", "after": "pass", "reads": _GOES_THROUGH}
    found = lint(text.format(**parts, closes="close", method="")).diagnostics
    assert not any(each.code == "LP312" for each in found)  # gap: main calls none of these methods


@pytest.mark.parametrize(
    "program",
    [
        {"after": "channel.writer.close()"},
        {"after": "channel.hang_up(); channel.writer.close()"},
        {"after": "channel.hang_up()"},
        {"after": "channel.writer = None"},
        {"after": "del channel.writer"},
        {"after": "finish(channel.writer)"},
        {"reads": "with closing(channel.writer):\n        print(list(channel))"},
        {"ends": "if item is None:\n                return"},
        {"reads": "for item in channel:\n        break"},
        {"reads": "print(next(iter(channel)))"},
        {"reads": "print(channel.reader.recv())"},
        {"reads": "print('nobody reads')"},
        {"after": "channel = Channel()"},
        {"method": "\n    def __getstate__(self):\n        return {'writer': self.writer}\n"},
        {"method": "\n    def __enter__(self):\n        return self\n"},
        {"after": "import threading; threading.Thread(target=print).start()"},
    ],
)
def test_an_object_whose_end_main_closes_or_that_it_does_not_read_to_the_end(program: dict[str, str]) -> None:
    assert _of_channel(**program) == []


_SERVICE = """\
import multiprocessing as mp


def serve(lines, results{parameter}):
    {begin}
    kept = []
    while True:
        try:
            kept.append(lines.recv())
        except EOFError:
            break
        {ends}
    results.send(kept)


class Service:
    def __init__(self):
        self._reader, self._writer = mp.Pipe(duplex=False)
        self._results, results = mp.Pipe(duplex=False)
        self._process = {process}(target=serve, args=(self._reader, results{given}))
        {before}
        self._process.start()
        self._reader.close()
        results.close()

    def feed(self, line):
        self._writer.send(line)

    def finish(self):
        {finish}


def main():
    service = Service()
    for number in range(9):
        service.feed(str(number))
    print(service.finish())


if __name__ == "__main__":
    main()
"""
_FINISH = "self._writer.close()\n        return self._results.recv()"


def _of_service(
    parameter: str = "",
    given: str = "",
    begin: str = "print('begins')",
    ends: str = "print(len(kept))",
    process: str = "mp.Process",
    before: str = "pass",
    finish: str = _FINISH,
) -> list[int]:
    text = _SERVICE.format(
        parameter=parameter, given=given, begin=begin, ends=ends, process=process, before=before, finish=finish
    )
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]


def test_an_object_keeps_the_end_that_a_forked_worker_inherits() -> None:
    assert _of_service() == [9]
    assert _of_service(finish="self._writer.close()\n        self._process.join()") == [9]
    assert _of_service(process="mp.get_context('fork').Process") == [9]


@pytest.mark.parametrize(
    "program",
    [
        {"process": "mp.get_context('spawn').Process"},
        {"process": "mp.get_context('forkserver').Process"},
        {"ends": "if kept[-1] is None:\n            break"},
        {"finish": "self._writer.send(None)\n        return self._results.recv()"},
        {"finish": "self._writer.close()"},
        {"finish": "self._writer.close()\n        self._process.terminate()\n        self._process.join()"},
        {"finish": "self._process.join(5)\n        self._writer.close()"},
        {"before": "self._writer.close()"},
        {"parameter": ", writer", "given": ", self._writer", "begin": "writer.close()"},
    ],
)
def test_an_object_whose_end_no_worker_waits_for(program: dict[str, str]) -> None:
    assert _of_service(**program) == []


_SCRIPT = """\
import multiprocessing as mp


def square(numbers, line):
    for number in numbers:
        line.send(number * number)
    line.close()


{more}


if __name__ == "__main__":
    mine, theirs = mp.Pipe()
    child = mp.Process(target=square, args=(range(4), theirs))
    child.start()
    {then}
    while True:
        try:
            print(mine.recv())
        except EOFError:
            break
    child.join()
"""


def _in_script(then: str, more: str = "") -> list[int]:
    text = _SCRIPT.format(then=then, more=more)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"]


@pytest.mark.parametrize(
    ("then", "more"), [("print('reads')", ""), ("print('reads')", "def show(theirs):\n    print(theirs)")]
)
def test_the_body_of_a_script_reads(then: str, more: str) -> None:
    assert len(_in_script(then, more)) == 1


@pytest.mark.parametrize(
    ("then", "more"),
    [
        ("theirs.close()", ""),
        ("del theirs", ""),
        ("theirs = None", ""),
        ("hang_up()", "def hang_up():\n    theirs.close()"),
        ("hang_up()", "def hang_up():\n    global theirs\n    theirs = None"),
    ],
)
def test_the_body_of_a_script_does_not_keep_it(then: str, more: str) -> None:
    assert _in_script(then, more) == []


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


def test_an_end_that_a_block_closes() -> None:
    block = "with writer:\n        for number in numbers:\n            writer.send(number)\n    {}"
    assert _found(after=block.format("worker.join()")) == [9]
    assert _found(after=block.format("print('sent')")) == []


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
