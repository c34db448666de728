"""LP223: undrained-queue."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import marks


class TestPage(PageTests):
    code = "LP223"


GUARD = "if __name__ == '__main__':\n    main()\n"
IMPORTS = "import time\nimport numpy as np\nimport pandas as pd\nfrom threading import Thread\n"
ONE = "q = mp.Queue()\np = mp.Process(target=g, args=(9, q))\np.start()\n"
SOME = (
    "q = mp.Queue()\nps = []\n"
    "for n in range(4):\n    p = mp.Process(target=g, args=(n, q))\n    p.start()\n    ps.append(p)\n"
)
OTHERS = (
    "def take(q, n):\n    return [q.get() for _ in range(n)]\n"
    "def wait(ps):\n    for p in ps:\n        p.join()\n"
    "def log(q):\n    while True:\n        print(q.get())\n"
    "def more(n, q):\n    q.put(n)\n"
    "def squares(n):\n    return [m * m for m in range(n)]\n"
    "def square(n):\n    return n * n\n"
    "class Page:\n    def __init__(self, url):\n        self.url, self.links = url, [url]\n"
    "def fetch(url):\n    return Page(url)\n"
)
GIVEN = "q = mp.Queue()\np = mp.Process(target=g, args=({}, q))\np.start()\n"
EACH = "r = []\n    for m in n:\n        r.append(m)\n    q.put((n, r))"
ROWS = "q.put([m for m in range(n)])"


def found(worker: str, main: str) -> list[str]:
    body = f"{IMPORTS}{OTHERS}def g(n, q):\n    {worker}\ndef main():\n"
    return codes(body + "".join(f"    {line}\n" for line in main.splitlines()) + GUARD)


@pytest.mark.parametrize(
    ("worker", "main"),
    [
        pytest.param(ROWS, f"{ONE}p.join()\nprint(q.get())", id="comprehension"),
        pytest.param("q.put(np.zeros((n, n)))", f"{ONE}p.join()\nreturn q.get()", id="array"),
        pytest.param("q.put((n, np.abs(np.zeros(n))))", f"{ONE}p.join()\nreturn q.get()", id="array in a tuple"),
        pytest.param("q.put({'n': n, 'rows': pd.read_csv(n)})", f"{ONE}p.join()\nreturn q.get()", id="table in a dict"),
        pytest.param(
            "r = []\n    for m in range(n):\n        r.append(m)\n    q.put(r)", f"{ONE}p.join()\nq.get()", id="list"
        ),
        pytest.param(ROWS, f"{ONE}p.join()\nwhile not q.empty():\n    print(q.get())", id="until it is empty"),
        pytest.param(ROWS, f"{SOME}for p in ps:\n    p.join()\nreturn [q.get() for p in ps]", id="several"),
        pytest.param(ROWS, f"{SOME}[p.join() for p in ps]\nreturn [q.get() for p in ps]", id="in a comprehension"),
        pytest.param(ROWS, f"{SOME}for p in ps:\n    p.join()\nreturn take(q, 4)", id="read by a helper"),
        pytest.param(ROWS, f"{SOME}wait(ps)\nreturn [q.get() for p in ps]", id="joined by a helper"),
        pytest.param("open(n).read()\n    q.put(open(n).read())", f"{ONE}p.join()\nreturn q.get()", id="a file's text"),
        pytest.param(ROWS, f"{ONE.replace('Queue', 'SimpleQueue')}p.join()\nreturn q.get()", id="simple queue"),
        pytest.param(ROWS, f"{ONE}while p.is_alive():\n    time.sleep(1)\nreturn q.get()", id="while it lives"),
        pytest.param(
            ROWS,
            f"{ONE}while True:\n    if not p.is_alive():\n        break\n    time.sleep(1)\nreturn q.get()",
            id="until it does not live",
        ),
        pytest.param(
            ROWS,
            f"{SOME}while any(p.is_alive() for p in ps):\n    time.sleep(1)\nreturn [q.get() for p in ps]",
            id="while any lives",
        ),
        pytest.param(
            ROWS, f"{ONE}while p.is_alive():\n    p.join(1)\nreturn q.get()", id="joined with a limit while it lives"
        ),
        pytest.param(ROWS, f"{ONE}try:\n    p.join()\nfinally:\n    q.get()", id="in a try"),
        pytest.param(
            ROWS,
            f"{ONE}mp.Process(target=more, args=(1, q)).start()\np.join()\nreturn q.get()",
            id="another that writes",
        ),
        pytest.param("for m in range(n):\n        q.put(Page(m))", f"{ONE}p.join()\nreturn q.get()", id="objects"),
        pytest.param(
            "for row in open(n):\n        if row.strip():\n            q.put({'row': row})\n    q.put(None)",
            f"{ONE}p.join()\nfor row in iter(q.get, None):\n    print(row)",
            id="each row of a file",
        ),
        pytest.param(
            "todo = [n]\n    while todo:\n        p = fetch(todo.pop())\n        q.put(p)\n        todo += p.links",
            f"{SOME}for p in ps:\n    p.join()\nreturn take(q, 4)",
            id="what it finds on the way",
        ),
        pytest.param("q.put(squares(n))", f"{ONE}p.join()\nreturn q.get()", id="what a function returns"),
        pytest.param(EACH, f"{GIVEN.format('[*rows()]')}p.join()\nreturn q.get()", id="for each of many"),
        pytest.param(EACH, f"{GIVEN.format('rows()')}p.join()\nreturn q.get()", id="for each of nobody knows how many"),
        pytest.param(
            EACH.replace("append(m)", "extend(m)"), f"{GIVEN.format('[rows()]')}p.join()\nq.get()", id="all of each"
        ),
    ],
)
def test_joined_before_it_is_read(worker: str, main: str) -> None:
    assert found(worker, main) == ["LP223"]


@pytest.mark.parametrize(
    ("worker", "main"),
    [
        pytest.param(ROWS, f"{ONE}r = q.get()\np.join()\nreturn r", id="read first"),
        pytest.param(
            ROWS, f"{SOME}r = [q.get() for p in ps]\nfor p in ps:\n    p.join()\nreturn r", id="all read first"
        ),
        pytest.param(ROWS, f"{SOME}r = take(q, 4)\nwait(ps)\nreturn r", id="read by a helper first"),
        pytest.param(
            ROWS, f"{ONE}while p.is_alive():\n    print(q.get(timeout=9))\np.join()\nq.get()", id="read while it runs"
        ),
        pytest.param(
            ROWS,
            f"{ONE}while p.is_alive():\n    if not q.empty():\n        print(q.get())\nq.get()",
            id="read while it runs, if there is anything",
        ),
        pytest.param(ROWS, f"{ONE}while p.is_alive():\n    take(q, 1)\nq.get()", id="a helper reads while it runs"),
        pytest.param(
            ROWS,
            f"{ONE}n = 0\nwhile p.is_alive():\n    n += 1\n    if n > 9:\n        break\nq.get()",
            id="not for ever while it lives",
        ),
        pytest.param(ROWS, f"{ONE}n = 0\nwhile p.is_alive() and n < 9:\n    n += 1\nq.get()", id="or another end"),
        pytest.param(ROWS, f"{ONE}if p.is_alive():\n    time.sleep(1)\nreturn q.get()", id="only asked"),
        pytest.param(ROWS, f"{ONE}while not p.is_alive():\n    time.sleep(1)\nreturn q.get()", id="until it lives"),
        pytest.param(ROWS, f"{ONE}p.join(5)\nreturn q.get()", id="not for ever"),
        pytest.param(ROWS, f"{ONE}p.join(timeout=5)\nreturn q.get()", id="not for ever, by keyword"),
        pytest.param("q.put(n)", f"{ONE}p.join()\nreturn q.get()", id="may be small"),
        pytest.param("q.put(square(n))", f"{ONE}p.join()\nreturn q.get()", id="a function returns what may be small"),
        pytest.param(EACH, f"{GIVEN.format('[9]')}p.join()\nreturn q.get()", id="one thing for each of one"),
        pytest.param("r = []\n    r.append(n)\n    q.put(r)", f"{ONE}p.join()\nq.get()", id="one thing in a list"),
        pytest.param("q.put(Page(n))", f"{ONE}p.join()\nreturn q.get()", id="one object"),
        pytest.param("for m in range(3):\n        q.put(Page(m))", f"{ONE}p.join()\nq.get()", id="three objects"),
        pytest.param(
            "for m in range(n):\n        try:\n            cost = square(m)\n        except OSError:\n"
            "            cost = None\n        q.put(cost)",
            f"{ONE}p.join()\nwhile not q.empty():\n    print(q.get())",
            id="a number of each try",
        ),
        pytest.param("for m in range(3):\n        q.put(m + n)", f"{ONE}p.join()\nreturn q.get()", id="three numbers"),
        pytest.param(
            "for kind in ('a', 'b'):\n        q.put((kind, n))", f"{ONE}p.join()\nreturn q.get()", id="two pairs"
        ),
        pytest.param(
            "for m in range(n):\n        if m % 7 == 6:\n            q.put(Page(m))\n            return",
            f"{ONE}p.join()\nreturn q.get()",
            id="the first of many",
        ),
        pytest.param(
            "while True:\n        try:\n            m = square(n)\n            break\n"
            "        except OSError:\n            pass\n    q.put(m)",
            f"{ONE}p.join()\nreturn q.get()",
            id="after a loop",
        ),
        pytest.param(
            "for m in range(n):\n        q.put(m)", f"{ONE}r = [q.get() for _ in range(9)]\np.join()", id="all read"
        ),
        pytest.param("q.put('done')", f"{ONE}p.join()\nreturn q.get()", id="a short text"),
        pytest.param("q.put(np.sum(n))", f"{ONE}p.join()\nreturn q.get()", id="a number"),
        pytest.param("q.get()", f"{ONE}q.put([m for m in range(9)])\np.join()", id="the other way"),
        pytest.param(ROWS, f"{ONE}p.join()", id="read nowhere here"),
        pytest.param(ROWS, f"{ONE}Thread(target=log, args=(q,)).start()\np.join()\nq.get()", id="a thread reads"),
        pytest.param(ROWS, f"{ONE}mp.Process(target=log, args=(q,)).start()\np.join()\nq.get()", id="a process reads"),
        pytest.param(
            ROWS, f"{ONE.replace('mp.Queue', 'mp.Manager().Queue')}p.join()\nreturn q.get()", id="a manager's"
        ),
        pytest.param(ROWS, f"{ONE}if p.exitcode:\n    p.join()\nreturn q.get()", id="only if it has ended"),
        pytest.param(
            ROWS,
            f"{ONE}try:\n    r = 1\nexcept ValueError:\n    p.terminate()\n    p.join()\nreturn q.get()",
            id="stopped",
        ),
        pytest.param(ROWS, ONE.replace("mp.Process", "Thread") + "p.join()\nreturn q.get()", id="threads"),
    ],
)
def test_nobody_waits_for_ever(worker: str, main: str) -> None:
    assert found(worker, main) == []


GROUP = """\
class Group:
    def __init__(self, count):
        self.q = mp.Queue()
        self.ps = [mp.Process(target=g, args=(n, self.q)) for n in range(count)]

    def start(self):
        for p in self.ps:
            p.start()

    def wait(self):
        for p in self.ps:
            p.join()

    def collect(self):
        return [self.q.get() for _ in self.ps]

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.wait()

"""


@pytest.mark.parametrize(
    ("main", "fires"),
    [
        ("h = Group(2)\nh.start()\nh.wait()\nreturn h.collect()", True),
        ("h = Group(2)\nh.start()\nr = h.collect()\nh.wait()\nreturn r", False),
        ("with Group(2) as h:\n    print(h)\nreturn h.collect()", True),
        ("with Group(2) as h:\n    r = h.collect()\nreturn r", False),
        ("with Group(2) as h:\n    print(h)\nreturn 1", False),
    ],
)
def test_an_object_that_has_the_processes(main: str, fires: bool) -> None:
    body = f"{GROUP}def g(n, q):\n    {ROWS}\ndef main():\n"
    text = body + "".join(f"    {line}\n" for line in main.splitlines()) + GUARD
    assert codes(text) == ["LP223"] * fires


def test_gap_an_object_that_others_use() -> None:
    body = f"{GROUP}def g(n, q):\n    {ROWS}\ndef run(h):\n    h.wait()\n    return h.collect()\n"
    assert (
        codes(f"{body}def main():\n    h = Group(2)\n    h.start()\n    return h\n{GUARD}") == []
    )  # gap: order unknown


MEMBER = """\
class Member(mp.Process):
    def __init__(self, n, q):
        super().__init__()
        self.n = n
        self.q = q

    def run(self):
        {work}
{more}

class Team:
    def __init__(self, count):
        self.q = mp.Queue()
        self.members = [Member(n, self.q) for n in range(count)]
        self.rows = []

    def _drain(self):
        while True:
            self.rows.append(self.q.get())

    def _collect(self):
        return [self.q.get() for _ in self.members]

    def run(self):
        for m in self.members:
            m.start()
        {then}


def main():
    {main}
"""
OF_MEMBER = "self.q.put([m for m in range(self.n)])"
WAIT = "for m in self.members:\n            m.join()\n        return self._collect()"


def _in_classes(
    work: str = OF_MEMBER, then: str = WAIT, main: str = "return Team(2).run()", more: str = ""
) -> list[str]:
    return codes(IMPORTS + MEMBER.format(work=work, then=then, main=main, more=more) + GUARD)


ONE_MEMBER = "q = mp.Queue()\n    p = Member(9, q)\n    p.start()\n    "
SOME_MEMBERS = "q = mp.Queue()\n    ps = [Member(n, q) for n in range(3)]\n    for p in ps:\n        p.start()\n    "


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"work": "self.q.put((self.n, np.cumsum(np.ones((self.n, 3)))))"},
        {"main": f"{ONE_MEMBER}p.join()\n    return q.get()", "then": "pass"},
        {"main": f"{SOME_MEMBERS}for p in ps:\n        p.join()\n    return [q.get() for p in ps]", "then": "pass"},
        {"main": "with_team = Team(2)\n    return with_team.run()"},
        {"then": "for m in self.members:\n            m.join()\n        return [self.q.get() for m in self.members]"},
        {"more": "\n    def stop(self):\n        self.n = 0\n"},
    ],
)
def test_a_class_of_processes(change: dict[str, str]) -> None:
    assert _in_classes(**change) == ["LP223"]


@pytest.mark.parametrize(
    "change",
    [
        {"then": "rows = self._collect()\n        for m in self.members:\n            m.join()\n        return rows"},
        {"then": "for m in self.members:\n            m.join(5)\n        return self._collect()"},
        {"then": "for m in self.members:\n            m.join()"},
        {"then": f"Thread(target=self._drain, daemon=True).start()\n        {WAIT}"},
        {"then": f"for m in self.members:\n            m.terminate()\n        {WAIT}"},
        {"work": "self.q.put(self.n)"},
        {"work": "self.q.put(np.zeros(3))"},
        {"work": f"self.q.cancel_join_thread()\n        {OF_MEMBER}"},
        {"more": "\n    def join(self):\n        rows.append(self.q.get())\n        super().join()\n"},
        {"main": f"{ONE_MEMBER}r = q.get()\n    p.join()\n    return r, q.get()", "then": "pass"},
        {"work": "self.n = self.q.get()", "then": "self.q.put([m for m in range(9)])\n        self.members[0].join()"},
    ],
)
def test_a_class_of_processes_that_end(change: dict[str, str]) -> None:
    assert _in_classes(**change) == []


@pytest.mark.parametrize(
    "value",
    [
        "list(range(100_000))",
        "tuple(range(0, 2**18, 2))",
        "[0] * 40000",
        "[0.0, 1.0] * COUNT",
        "b'x' * (1 << 20)",
        "'xy' * COUNT",
        "bytes(70_000)",
        "os.urandom(COUNT)",
        "(n, list(range(100_000)))",
        "np.random.rand(512, 512)",
        "np.zeros(COUNT)",
    ],
)
def test_what_is_written_to_be_large(value: str) -> None:
    text = f"{IMPORTS}COUNT = 70_000\ndef g(n, q):\n    data = {value}\n    q.put(data)\ndef main():\n"
    assert codes(text + "".join(f"    {line}\n" for line in f"{ONE}p.join()\nprint(q.get())".splitlines()) + GUARD) == [
        "LP223"
    ]


@pytest.mark.parametrize(
    "value",
    [
        "list(range(100))",
        "list(range(n, 100))",
        "[0] * 100",
        "[0] * n",
        "b'x' * 1000",
        "bytes(64)",
        "np.zeros(3)",
        "np.ones((16, 16))",
        "np.random.rand(COUNT)",
        "np.zeros(1000, dtype=np.uint8)",
        "(n, np.zeros((4, 4)))",
    ],
)
def test_what_is_written_to_be_small(value: str) -> None:
    text = f"{IMPORTS}COUNT = 16\ndef g(n, q):\n    q.put({value})\ndef main():\n"
    assert (
        codes(text + "".join(f"    {line}\n" for line in f"{ONE}p.join()\nprint(q.get())".splitlines()) + GUARD) == []
    )


MANAGED = """\
import contextlib
from contextlib import contextmanager
def g(n, q):
    rows = []
    for m in range(n):
        rows.append((n, m))
    q.put({put})
{decorator}
def running(target, jobs):
    processes = [mp.Process(target=target, args=job) for job in jobs]
    for process in processes:
        process.start()
    {given}
    for process in processes:
        {ended}
class Reader:
    def __init__(self, count):
        self.count, self.out = count, mp.Queue()
    def jobs(self):
        return [(n, self.out) for n in range(self.count)]
    def run(self):
        rows = []
        with running(g, self.jobs()) as processes:
            {inside}
        {behind}
        return rows
def main():
    print(Reader(4).run())
"""
_READS = "rows += [self.out.get() for _ in range(self.count)]"


def _managed(
    inside: str, behind: str, ended: str = "process.join()", put: str = "rows", decorator: str = "@contextmanager"
) -> list[str]:
    given = "yield processes"
    text = MANAGED.format(inside=inside, behind=behind, ended=ended, put=put, given=given, decorator=decorator)
    return codes(text + GUARD)


@pytest.mark.parametrize("decorator", ["@contextmanager", "@contextlib.contextmanager"])
def test_a_generator_that_joins_when_its_with_is_left(decorator: str) -> None:
    assert _managed("print(len(processes))", _READS, decorator=decorator) == ["LP223"]


@pytest.mark.parametrize(
    ("inside", "behind", "ended", "put"),
    [
        pytest.param(_READS, "print(rows)", "process.join()", "rows", id="read inside"),
        pytest.param("print(processes)", _READS, "print(process.pid)", "rows", id="not joined"),
        pytest.param("print(processes)", _READS, "process.join(5)", "rows", id="not for ever"),
        pytest.param("print(processes)", "print(rows)", "process.join()", "rows", id="never read"),
        pytest.param("print(processes)", _READS, "process.join()", "n", id="a number"),
        pytest.param(_READS, _READS, "process.join()", "rows", id="read before and behind"),
    ],
)
def test_a_generator_that_joins_what_has_been_read_or_nothing(inside: str, behind: str, ended: str, put: str) -> None:
    assert _managed(inside, behind, ended, put) == []


_STARTER = (
    "def begin(q):\n    ps = [mp.Process(target=g, args=(n, q)) for n in range(4)]\n"
    "    for p in ps:\n        p.start()\n    return ps\n"
)


def _found_with_starter(main: str) -> list[str]:
    body = f"{IMPORTS}{OTHERS}def g(n, q):\n    {ROWS}\n{_STARTER}def main():\n    q = mp.Queue()\n"
    return codes(body + "".join(f"    {line}\n" for line in main.splitlines()) + GUARD)


def test_processes_that_a_helper_starts_and_its_caller_joins() -> None:
    assert _found_with_starter("ps = begin(q)\nwait(ps)\nreturn take(q, 4)") == ["LP223"]
    assert _found_with_starter("ps = begin(q)\nfor p in ps:\n    p.join()\nreturn q.get()") == ["LP223"]
    assert _found_with_starter("ps = begin(q)\nrows = take(q, 4)\nwait(ps)\nreturn rows") == []
    assert _found_with_starter("ps = begin(q)\nThread(target=log, args=(q,)).start()\nwait(ps)\nreturn q.get()") == []


def test_many_of_what_the_pipe_does_not_hold_many_of() -> None:
    repeated = "for m in range(n):\n        q.put({})"
    assert found(repeated.format("[m] * 10_000"), f"{ONE}p.join()\nprint(q.get())") == ["LP223"]
    assert found(repeated.format("[m] * 10"), f"{ONE}p.join()\nprint(q.get())") == []
    assert found("q.put([n] * 10_000)", f"{ONE}p.join()\nprint(q.get())") == []


_RECORD = """
import multiprocessing as mp
import threading
from dataclasses import dataclass
from typing import Any


@dataclass
class Channels:
    results: Any
    METHOD


def work(channels):
    channels.results.put([0] * 100_000)


def collect(channels):
    print(len(channels.results.get()))


def main():
    channels = Channels(mp.Queue())
    process = mp.Process(target=work, args=(channels,))
    process.start()
    MAIN


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("main", "method", "fires"),
    [
        ("process.join()\n    collect(channels)", "pass", True),
        ("process.join()\n    print(channels.results.get())", "pass", True),
        ("collect(channels)\n    process.join()", "pass", False),
        ("threading.Thread(target=collect, args=(channels,)).start()\n    process.join()", "pass", False),
        ("process.join()\n    collect(channels)", "def take(self): return self.results.get()", False),
    ],
)
def test_a_record_of_queues(main: str, method: str, fires: bool) -> None:
    text = _RECORD.replace("MAIN", main).replace("METHOD", method)
    assert ("LP223" in [code for _, code in marks(text)]) is fires


RUNNER = """\
import multiprocessing as mp


def squares(n):
    return [m * m for m in range(n)]


def square(n):
    return n * n


def call(queue, function, n):
    queue.put({"value": function(n)})


def run(function, n):
    queue = mp.Queue()
    process = mp.Process(target=call, args=(queue, function, n))
    process.start()
    process.join()
    return queue.get()


def main(client):
    USE


if __name__ == "__main__":
    main(None)
"""


@pytest.mark.parametrize(
    ("use", "fires"),
    [
        ("return client.submit(run, 9)", True),
        ("return run(squares, 9)", True),
        ("return run(square, 9)", False),
        ("return run(client.read, 9)", True),
    ],
)
def test_what_a_function_gives_that_is_not_seen(use: str, fires: bool) -> None:
    assert [code for _, code in marks(RUNNER.replace("USE", use))] == ["LP223"] * fires


HEAD_OF_COLLECTING = """\
from multiprocessing import Process, Queue


class Collector:
    def __init__(self):
        self.queue = Queue()
        self.expected = 0

    def put(self, part, rows):
        self.queue.put((part, rows))

    def gather(self):
        parts = dict(self.queue.get() for _ in range(self.expected))
        return [row for key in sorted(parts) for row in parts[key]]


def scan(part, lines, collector):
    rows = []
    for line in lines:
        rows.append(line.upper())
    collector.put(part, rows)


def count(part, lines, collector):
    collector.put(part, len(lines))


"""
GROUP_OF_PROCESSES = """\
class Group(BASE):
    def __init__(self):
        super().__init__()
        self.processes = []

    def spawn(self, target, *args):
        process = Process(target=target, args=args)
        process.start()
        KEEPS.append(process)

    def finish(self):
        for process in KEEPS:
            process.join()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.finish()


class Job:
    def __init__(self):
        self.group, self.collector = Group(), Collector()

    def start(self, lines):
        self.collector.expected = 2
        for each in range(2):
            self.group.spawn(scan, each, lines[each::2], self.collector)

    def wait(self):
        self.group.finish()
        return self.collector.gather()

    def stop(self):
        rows = self.collector.gather()
        self.group.finish()
        return rows


def main(lines):
    collector, group, job = Collector(), Group(), Job()
    collector.expected = 2
    USE


if __name__ == "__main__":
    main(list("abc"))
"""
_SPAWNS = "for each in range(2):\n        group.spawn(scan, each, lines[each::2], collector)\n    "
_ENTERS = "with group:\n        group.spawn(scan, 0, lines, collector)\n"
_KEEPERS = [("object", "self.processes"), ("list", "self")]


@pytest.mark.parametrize(("base", "keeps"), _KEEPERS)
@pytest.mark.parametrize(
    ("use", "fires"),
    [
        pytest.param(f"{_SPAWNS}group.finish()\n    return collector.gather()", True, id="joined first"),
        pytest.param(f"{_ENTERS}    return collector.gather()", True, id="joined when it is left"),
        pytest.param("job.start(lines)\n    return job.wait()", True, id="of a third object"),
        pytest.param(f"{_SPAWNS}rows = collector.gather()\n    group.finish()", False, id="read first"),
        pytest.param(f"{_ENTERS}        return collector.gather()", False, id="read before it is left"),
        pytest.param("job.start(lines)\n    return job.stop()", False, id="a third object reads first"),
        pytest.param(
            "group.spawn(count, 0, lines, collector)\n    group.finish()\n    return collector.gather()",
            False,
            id="only numbers",
        ),
    ],
)
def test_a_group_of_processes_and_a_collector(base: str, keeps: str, use: str, fires: bool) -> None:
    group = GROUP_OF_PROCESSES.replace("BASE", base).replace("KEEPS", keeps).replace("USE", use)
    assert [code for _, code in marks(HEAD_OF_COLLECTING + group)] == ["LP223"] * fires


def test_a_list_of_processes_that_others_fill() -> None:
    head = HEAD_OF_COLLECTING + GROUP_OF_PROCESSES.replace("BASE", "list").replace("KEEPS", "self")
    made = "process = Process(target=scan, args=(0, lines, collector))\n    process.start()\n    "
    ends = "    group.finish()\n    return collector.gather()"
    for fills in ("group.append(process)\n", "group.extend([process])\n"):
        assert [code for _, code in marks(head.replace("USE", made + fills + ends))] == ["LP223"]
    assert marks(head.replace("USE", f"{made}print(process)\n{ends}")) == []  # A group that has no process.


@pytest.mark.parametrize(
    ("put", "fires"),
    [
        pytest.param("q.put(torch.zeros(1000, 1000))", False, id="one"),
        pytest.param("q.put({'n': n, 'x': torch.zeros(1000, 1000)})", False, id="in a dict"),
        pytest.param("q.put(np.zeros((1000, 1000)))", True, id="an array"),
        pytest.param("for m in range(n):\n        q.put({'x': torch.zeros(m)})", True, id="any number of them"),
    ],
)
def test_of_a_tensor_only_a_handle_gets_into_the_pipe(put: str, fires: bool) -> None:
    text = f"{IMPORTS}import torch\ndef g(n, q):\n    {put}\ndef main():\n"
    main = "".join(f"    {line}\n" for line in f"{ONE}p.join()\nprint(q.get())".splitlines())
    assert [code for code in codes(text + main + GUARD) if code == "LP223"] == ["LP223"] * fires
