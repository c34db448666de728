"""LP312: objects and scripts that keep the end of a pipe which a worker writes to."""

from __future__ import annotations

import pytest

from tests.support import lint

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


_GIVEN = """\
import multiprocessing as mp
from collections import Counter


class Channel:
    def __init__(self, context, name=""):
        self.name = name
        self.reader, self.writer = context.Pipe(duplex=False)

    def send(self, item):
        self.writer.send(item)

    def close(self):
        self.writer.close()

    def only_read(self):
        self.close()
{method}
    def __iter__(self):
        while True:
            try:
                yield self.reader.recv()
            except EOFError:
                return


def count(channel, results):
    {begin}
    {reads}
    results.put(rows)


class Ingest:
    def __init__(self):
        context = mp.get_context("{start_method}")
        self.results = context.SimpleQueue()
        self.channel = Channel(context)
        self.process = context.Process(target=count, args=({given}, self.results))

    def __enter__(self):
        self.process.start()
        return self

    def __exit__(self, *error):
        {ends}


def main():
    context = mp.get_context("{start_method}")
    results, channel = context.SimpleQueue(), Channel(context)
    process = context.Process(target=count, args=({given_in_main}, results))
    process.start()
    channel.send(("a", 1))
    {then}
    with Ingest() as ingest:
        ingest.channel.send(("b", 2))


if __name__ == "__main__":
    main()
"""
_READ_BY_HAND = (
    "rows = []\n    while True:\n        try:\n            rows.append(channel.reader.recv())\n"
    "        except EOFError:\n            break"
)


def _of_given(
    reads: str = "rows = Counter(kind for kind, _ in channel)",
    begin: str = "pass",
    method: str = "",
    then: str = "channel.close()\n    process.join()",
    ends: str = "self.process.join(5)",
    given: str = "self.channel",
    given_in_main: str = "channel",
    start_method: str = "spawn",
) -> list[int]:
    text = _GIVEN.format(
        reads=reads,
        begin=begin,
        method=method,
        then=then,
        ends=ends,
        given=given,
        given_in_main=given_in_main,
        start_method=start_method,
    )
    return sorted({each.location.start.row for each in lint(text).diagnostics if each.code == "LP312"})


@pytest.mark.parametrize(
    ("changes", "rows"),
    [
        ({}, [22]),
        ({"start_method": "fork"}, [22]),
        ({"then": "channel.writer.close()\n    print(results.get())"}, [22]),
        # gap: another method starts the process than that which makes it
        ({"then": "process.join(5)", "ends": "self.channel.close()\n        self.process.join()"}, []),
        ({"reads": _READ_BY_HAND}, [32]),
        ({"reads": "rows = []\n    for kind, _ in channel:\n        rows.append(kind)"}, [22]),
        ({"begin": "channel.send(('begun', 0))"}, [22]),
        ({"begin": "channel.writer.send(('begun', 0))"}, [22]),
    ],
)
def test_a_worker_is_given_an_object_with_both_ends(changes: dict[str, str], rows: list[int]) -> None:
    assert _of_given(**changes) == rows


@pytest.mark.parametrize(
    "changes",
    [
        {"begin": "channel.close()"},
        {"begin": "channel.only_read()"},
        {"begin": "channel.writer.close()"},
        {"begin": "channel.writer = None"},
        {"begin": "finish(channel.writer)"},
        {"method": "\n    def __getstate__(self):\n        return {'reader': self.reader}\n"},
        {"method": "\n    def __enter__(self):\n        self.writer.close()\n        return self\n"},
        {"reads": "rows = next(iter(channel))"},
        {"reads": "rows = []\n    for kind, _ in channel:\n        if kind is None:\n            break"},
        {"reads": "for rows in channel:\n        if rows is None:\n            return"},
        {"reads": "rows = channel.reader.recv()"},
        {"then": "process.join(5)"},
        {"then": "channel.close()"},
        {"then": "channel.close()\n    process.terminate()\n    process.join()"},
        {"then": "threading.Thread(target=channel.close).start()\n    process.join()"},
        {"given_in_main": "channel.reader"},
    ],
)
def test_a_worker_that_has_closed_the_end_of_its_object_or_may_leave(changes: dict[str, str]) -> None:
    assert _of_given(**changes) == []
