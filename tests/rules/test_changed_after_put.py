"""LP227: changed-after-put."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import IMPORTS, codes
from tests.support import marks


class TestPage(PageTests):
    code = "LP227"


HEAD = """\
import copy
import pickle
import queue
import random
import struct
import threading
import time
from collections import deque
from dataclasses import dataclass
from multiprocessing import Pool
from typing import NamedTuple

import cv2
import numpy as np


@dataclass
class Packet:
    number: int
    frame: object


class Pair(NamedTuple):
    number: int
    frame: object


class Own:
    def __init__(self, frame):
        self.frame = frame.copy()


class Sensor:
    def __init__(self):
        self.count = 0

    def read_into(self, out):
        out[...] = self.count
        self.count += 1

    def look_at(self, out):
        return out[0]


class Item:
    def __init__(self):
        self.rows = []
        self.name = ""

    def add(self, row):
        self.rows.append(row)

    def size(self):
        return len(self.rows)


def work(q, out):
    while (found := q.get()) is not None:
        out.put(found)


def task(*given):
    return given


def fill(rows):
    rows.clear()


def shown(rows):
    print(rows)


def answered(out):
    return out.get()


"""
START = """\
q, out = mp.Queue(), mp.Queue()
mp.Process(target=work, args=(q, out)).start()
"""
GUARD = "\n\nif __name__ == '__main__':\n    main()\n"


def found(body: str, start: str = START) -> list[str]:
    lines = [f"    {line}\n" for line in (start + body).splitlines()]
    return [each for each in codes(f"{HEAD}def main():\n{''.join(lines)}{GUARD}") if each == "LP227"]


LOOP = "for n in range(9):\n    "


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[:] = n\n    q.put(buf)", id="a buffer filled anew"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf.fill(n)\n    q.put((n, buf))", id="in a tuple"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf += n\n    q.put({{'n': n, 'buf': buf}})", id="in a dict"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}q.put(Packet(n, buf))\n    buf[0] = n", id="in a dataclass"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}q.put(Pair(n, frame=buf))\n    buf[0] = n", id="in a named tuple"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[0] = n\n    q.put(buf[:n])", id="a part of an array"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}np.copyto(buf, n)\n    q.put_nowait(buf)", id="by numpy"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}np.add(buf, n, out=buf)\n    q.put(buf)", id="its result"),
        pytest.param(f"s = Sensor()\nbuf = np.zeros(9)\n{LOOP}s.read_into(buf)\n    q.put(buf)", id="by a method"),
        pytest.param(f"buf = bytearray(9)\nf = open('a', 'rb')\n{LOOP}f.readinto(buf)\n    q.put(buf)", id="a file's"),
        pytest.param(f"buf = bytearray(9)\n{LOOP}struct.pack_into('i', buf, 0, n)\n    q.put(buf)", id="packed"),
        pytest.param(
            "video = cv2.VideoCapture(0)\nframe = np.zeros((9, 9))\nwhile video.read(frame)[0]:\n    q.put(frame)",
            id="a camera's",
        ),
        pytest.param(
            "video = cv2.VideoCapture(0)\nwhile True:\n    ok, frame = video.read()\n    q.put(frame)\n"
            "    cv2.rectangle(frame, (0, 0), (9, 9), 1)",
            id="drawn on",
        ),
        pytest.param(f"row = {{}}\n{LOOP}row['n'] = n\n    q.put(row)", id="a row"),
        pytest.param(f"row = dict(n=0)\n{LOOP}row.update(n=n)\n    q.put(obj=row)", id="updated, by keyword"),
        pytest.param("batch = [1]\nq.put(batch)\nbatch.clear()", id="cleared"),
        pytest.param("batch = [1]\nq.put(batch)\ndel batch[:]", id="emptied"),
        pytest.param("batch = [1]\nq.put(batch)\nbatch += [2]", id="added to"),
        pytest.param("batch = [1]\nq.put(batch)\nfill(batch)", id="cleared by a function"),
        pytest.param("batch = [1]\nq.put(batch)\nrandom.shuffle(batch)", id="shuffled"),
        pytest.param("batch = deque([1])\nq.put(batch)\nlast = batch.pop()", id="popped"),
        pytest.param("seen = set()\nq.put(seen)\nseen |= {1}", id="a set"),
        pytest.param("row = {'tags': []}\nq.put(row)\nrow['tags'].append(1)", id="deeper"),
        pytest.param("item = Item()\nq.put(item)\nitem.rows.append(1)", id="what an attribute holds"),
        pytest.param("item = Item()\nq.put(item)\nitem.add(1)", id="by its own method"),
        pytest.param(f"item = Item()\n{LOOP}item.name = str(n)\n    q.put(item)", id="an attribute, put again"),
        pytest.param(
            f"batch = []\n{LOOP}batch.append(n)\n    if len(batch) == 3:\n        q.put(batch)\n        batch.clear()",
            id="a batch",
        ),
        pytest.param(
            f"batch = [1]\n{LOOP}if n % 2:\n        q.put(batch)\n        continue\n    batch.append(n)",
            id="in the next round",
        ),
        pytest.param("row = {}\ntry:\n    q.put(row)\nexcept ValueError:\n    pass\nrow['a'] = 1", id="behind a try"),
        pytest.param("row = {}\nif q.full():\n    row = {}\nq.put(row)\nrow['a'] = 1", id="one of two"),
        pytest.param("q.put(row := {})\nq.put(1)\nprint(row)\nq.put(row)\nrow['a'] = 1", id="several puts"),
    ],
)
def test_changed_after_it_is_put(body: str) -> None:
    assert found(body) == ["LP227"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[:] = n\n    q.put(buf.copy())", id="a copy"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[:] = n\n    q.put((n, np.array(buf)))", id="a copy in a tuple"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[:] = n\n    q.put(copy.deepcopy(buf))", id="a deep copy"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[:] = n\n    q.put(buf.tobytes())", id="its bytes"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[:] = n\n    q.put(pickle.dumps(buf))", id="pickled"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[:] = n\n    q.put(float(buf.sum()))", id="a number"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf[:] = n\n    q.put(Own(buf))", id="an object that copies"),
        pytest.param(f"{LOOP}buf = np.zeros(9)\n    buf[:] = n\n    q.put(buf)", id="made anew each round"),
        pytest.param(f"buf = np.zeros(9)\n{LOOP}buf = buf + n\n    q.put(buf)", id="another array each round"),
        pytest.param(f"row = {{}}\n{LOOP}row['n'] = n\n    q.put(dict(row))", id="a dict of it"),
        pytest.param(f"rows = []\n{LOOP}rows.append(n)\n    q.put(list(rows))", id="a list of it"),
        pytest.param(f"rows = []\n{LOOP}rows.append(n)\n    q.put(rows[:])", id="a slice of a list"),
        pytest.param(f"rows = []\n{LOOP}rows.append(n)\n    q.put(tuple(rows))", id="a tuple of it"),
        pytest.param("row = {}\nrow['a'] = 1\nq.put(row)", id="changed before"),
        pytest.param("rows = []\nfor n in range(9):\n    rows.append(n)\nq.put(rows)", id="filled before"),
        pytest.param("batch = [1]\nq.put(batch)\nbatch = []\nbatch.append(2)", id="another list"),
        pytest.param(
            f"batch = []\n{LOOP}batch.append(n)\n    if len(batch) == 3:\n        q.put(batch)\n        batch = []",
            id="a new batch",
        ),
        pytest.param("row = {}\nif q.full():\n    q.put(row)\nelse:\n    row['a'] = 1", id="the other branch"),
        pytest.param("row = {}\nif q.full():\n    q.put(row)\n    return\nrow['a'] = 1", id="it has returned"),
        pytest.param("row = {}\nwhile True:\n    q.put(row)\n    break\nrow = {}\nrow['a'] = 1", id="behind the loop"),
        pytest.param("n = 0\nwhile n < 9:\n    q.put(n)\n    n += 1", id="a number that is added to"),
        pytest.param("text = ''\nfor n in range(9):\n    q.put(text)\n    text += 'a'", id="a text"),
        pytest.param("pair = (1,)\nq.put(pair)\npair += (2,)", id="a tuple"),
        pytest.param("row = {}\nq.put(row)\nanswer = out.get()\nrow['a'] = 1", id="behind an answer"),
        pytest.param("row = {}\nq.put(row)\nprint(answered(out))\nrow['a'] = 1", id="behind an answer in a function"),
        pytest.param("row = {}\nq.put(row)\nq.close()\nq.join_thread()\nrow['a'] = 1", id="the thread has ended"),
        pytest.param("row = {}\nq.put(row)\ntime.sleep(1)\nrow['a'] = 1", id="much later"),
        pytest.param("batch = [1]\nq.put(batch)\nshown(batch)\nprint(len(batch), batch[0])", id="only read"),
        pytest.param("s = Sensor()\nbuf = np.zeros(9)\nq.put(buf)\ns.look_at(buf)", id="only read by a method"),
        pytest.param("item = Item()\nq.put(item)\nprint(item.size())", id="a method that changes nothing"),
        pytest.param("item = Item()\nq.put(item)\nitem.sent = True", id="noted that it is sent"),
        pytest.param("known = {}\nrow = [1]\nq.put(row)\nknown['a'] = row", id="kept elsewhere"),
        pytest.param("rows = []\nrow = [1]\nq.put(row)\nrows.append(row)\nrows.clear()", id="a list with it"),
        pytest.param("shared = mp.Manager().dict()\nq.put(shared)\nshared['a'] = 1", id="a proxy"),
        pytest.param("for row in open('a'):\n    q.put(row)\n    row = row.strip()", id="the loop's own"),
        pytest.param("count = 0\nfor row in []:\n    q.put((count, row))\n    count += 1", id="a counter in a tuple"),
    ],
)
def test_not_changed_while_it_waits(body: str) -> None:
    assert found(body) == []


CHANGED = "batch = [1]\nq.put(batch)\nbatch.clear()"


@pytest.mark.parametrize(
    ("making", "fires"),
    [
        ("mp.Queue()", True),
        ("mp.Queue(1)", True),
        ("mp.JoinableQueue()", True),
        ("mp.get_context('spawn').Queue()", True),
        ("mp.SimpleQueue()", False),
        ("mp.get_context('spawn').SimpleQueue()", False),
        ("mp.Manager().Queue()", False),
        ("queue.Queue()", False),
        ("mp.Queue() if cv2.ok else queue.Queue()", False),
        ("make_queue()", False),
    ],
)
def test_kinds_of_queues(making: str, fires: bool) -> None:
    start = f"q, out = {making}, mp.Queue()\nmp.Process(target=work, args=(out, out)).start()\n"
    assert found(CHANGED, start) == ["LP227"] * fires


def test_a_queue_of_torch() -> None:
    text = "import torch.multiprocessing as tmp\ndef main():\n    q = tmp.Queue()\n"
    text += "    tmp.Process(target=print, args=(q,)).start()\n    batch = [1]\n    q.put(batch)\n    batch.clear()\n"
    assert codes(text + GUARD) == ["LP227"]


def test_behind_the_join_of_a_queue() -> None:
    start = START.replace("mp.Queue(), mp", "mp.JoinableQueue(), mp")
    assert found("batch = [1]\nq.put(batch)\nq.join()\nbatch.clear()", start) == []


POOL = "pool = Pool(2)\n"
EXECUTOR = "pool = ProcessPoolExecutor(2)\n"


@pytest.mark.parametrize(
    ("start", "body", "fires"),
    [
        (POOL, f"row = {{}}\n{LOOP}row['n'] = n\n    pool.apply_async(task, (row,))", True),
        (POOL, f"row = {{}}\n{LOOP}row['n'] = n\n    pool.apply_async(task, args=(n, row))", True),
        (POOL, "row = {}\npool.apply_async(task, kwds={'row': row})\nrow['a'] = 1", True),
        (POOL, "rows = [1]\nfound = pool.map_async(task, rows)\nrows.clear()", True),
        (EXECUTOR, f"row = {{}}\n{LOOP}row['n'] = n\n    pool.submit(task, row)", True),
        (EXECUTOR, "row = {}\njobs = [pool.submit(task, n, row=row) for n in range(9)]\nrow.clear()", True),
        (POOL, f"row = {{}}\n{LOOP}row['n'] = n\n    pool.apply_async(task, (dict(row),))", False),
        (POOL, f"{LOOP}row = {{}}\n    row['n'] = n\n    pool.apply_async(task, (row,))", False),
        (POOL, f"row = {{}}\n{LOOP}row['n'] = n\n    pool.apply(task, (row,))", False),
        (POOL, f"row = {{}}\n{LOOP}row['n'] = n\n    pool.map(task, [row])", False),
        (POOL, f"row = {{}}\n{LOOP}row['n'] = n\n    pool.apply_async(task, (row,)).get()", False),
        (POOL, "rows = [1]\nfound = pool.map_async(task, rows).get()\nrows.clear()", False),
        (POOL, "row = {}\npool.apply_async(task, (row,))\npool.close()\npool.join()\nrow['a'] = 1", False),
        (EXECUTOR, f"row = {{}}\n{LOOP}row['n'] = n\n    job = pool.submit(task, row)\n    job.result()", False),
        (EXECUTOR, "row = {}\njob = pool.submit(task, row)\nrow['a'] = job.result()", False),
        ("", "row = {}\nwith ProcessPoolExecutor() as pool:\n    pool.submit(task, row)\nrow['a'] = 1", False),
        ("", "row = {}\nwith ProcessPoolExecutor() as pool:\n    pool.submit(task, row)\n    row['a'] = 1", True),
        ("pool = ThreadPoolExecutor(2)\n", f"row = {{}}\n{LOOP}row['n'] = n\n    pool.submit(task, row)", False),
        ("", f"row = {{}}\n{LOOP}row['n'] = n\n    mp.Process(target=task, args=(row,)).start()", False),
        ("", f"a, b = mp.Pipe()\nrow = {{}}\n{LOOP}row['n'] = n\n    a.send(row)", False),
    ],
)
def test_tasks_of_pools(start: str, body: str, fires: bool) -> None:
    assert found(body, start) == ["LP227"] * fires


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("buf = np.zeros(9)\n    for n in range(9):\n        buf[0] = n\n        out.put(buf)", True),
        ("for n in range(9):\n        buf = np.zeros(9)\n        buf[0] = n\n        out.put(buf)", False),
    ],
)
def test_in_a_worker(body: str, fires: bool) -> None:
    text = f"def produce(out):\n    {body}\ndef main():\n    q = mp.Queue()\n"
    text += "    mp.Process(target=produce, args=(q,)).start()\n    print(q.get())\n"
    assert found_in(text) == ["LP227"] * fires


def found_in(text: str) -> list[str]:
    return [each for each in codes(HEAD + text + GUARD) if each == "LP227"]


CLASS = """\
class Source:
    def __init__(self, q):
        self.q = q
        self.buf = np.zeros(9)
        self.rows = []

    def renew(self):
        self.buf = np.zeros(9)

    def fill(self, n):
        self.buf[:] = n

    def stream(self):
        for n in range(9):
            {body}


def main():
    q = mp.Queue()
    mp.Process(target=print, args=(q,)).start()
    Source(q).stream()
"""


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("self.buf[:] = n; self.q.put(self.buf)", True),
        ("self.fill(n); self.q.put((n, self.buf))", True),
        ("self.rows.append(n); self.q.put(self.rows)", True),
        ("self.fill(n); self.q.put(self.buf.copy())", False),
        ("self.renew(); self.fill(n); self.q.put(self.buf)", False),
        ("self.buf = np.zeros(9); self.fill(n); self.q.put(self.buf)", False),
        ("self.rows.append(n); self.q.put(self.rows); self.rows = []", False),
        ("self.q.put(self.buf); self.rows.append(n)", False),
    ],
)
def test_an_attribute_of_the_producer(body: str, fires: bool) -> None:
    assert found_in(CLASS.format(body=body)) == ["LP227"] * fires


BATCHES = """\
class Writer:
    def __init__(self, channel, size):
        self.channel = channel
        self.size = size
        self.pending = []
        self.written = 0

    def write(self, event):
        self.pending.append(event)
        if len(self.pending) >= self.size:
            self.flush()

    def flush(self):
        if not self.pending:
            return
        {flush}

    def close(self):
        self.flush()
        self.channel.put(None)


def main():
    channel = {queue}
    process = mp.Process(target=print, args=(channel,))
    process.start()
    writer = Writer(channel, 50)
    for event in range(900):
        writer.write(event)
    writer.{end}()
    process.join()
"""


@pytest.mark.parametrize(
    ("flush", "end"),
    [
        ("self.channel.put(self.pending); self.written += len(self.pending); self.pending.clear()", "close"),
        ("self.channel.put((self.written, self.pending)); self.pending.clear()", "flush"),
        ("self.channel.put(self.pending); del self.pending[:]", "close"),
    ],
)
def test_a_method_of_its_own_that_others_call(flush: str, end: str) -> None:
    assert found_in(BATCHES.format(flush=flush, end=end, queue="mp.Queue()")) == ["LP227"]


@pytest.mark.parametrize(
    ("flush", "queue"),
    [
        ("self.channel.put(self.pending); self.pending = []", "mp.Queue()"),
        ("self.channel.put(self.pending.copy()); self.pending.clear()", "mp.Queue()"),
        ("batch, self.pending = self.pending, []; self.channel.put(batch)", "mp.Queue()"),
        ("self.channel.put(self.pending); self.pending.clear()", "mp.SimpleQueue()"),
        ("self.channel.put(self.pending); self.pending.clear()", "mp.Manager().Queue()"),
        ("self.channel.put(self.pending); self.pending.clear()", "queue_of_the_site()"),
    ],
)
def test_a_method_of_its_own_that_changes_nothing_that_waits(flush: str, queue: str) -> None:
    assert found_in(BATCHES.format(flush=flush, end="close", queue=queue)) == []


CAMERA = """\
class Camera:
    def __init__(self, device):
        self.device = device
        self.number = 0
        self.frame = np.zeros(9)
        self.frames = [np.zeros(9), np.zeros(9)]

    def grab(self, n):
        {grab}

    def close(self):
        self.device.close()


class Source:
    def __init__(self, device):
        self.camera = Camera(device)

    def send(self, q):
        for n in range(9):
            q.put(self.camera.grab(n))


def main():
    q = mp.Queue()
    mp.Process(target=print, args=(q,)).start()
    camera = Camera(open("/dev/video0", "rb"))
    {body}
"""
_SENT = "for n in range(9): q.put(camera.grab(n))"
_FILLED = "self.frame[:] = n; return self.frame"


@pytest.mark.parametrize(
    "grab",
    [
        _FILLED,
        "self.frame.fill(n); return self.frame",
        "self.frame += n; self.frame[0] = 1; return self.frame",
        "self.device.readinto(self.frame); return self.frame",
        "np.copyto(self.frame, n); return self.frame",
        "np.add(n, 1, out=self.frame); return self.frame",
    ],
)
def test_a_method_that_gives_what_its_object_keeps_and_fills_it_anew(grab: str) -> None:
    is_told_as_bound = "+=" in grab  # It may be a number.
    assert found_in(CAMERA.format(grab=grab, body=_SENT)) == ["LP227"] * (not is_told_as_bound)


@pytest.mark.parametrize(
    "body",
    [
        "for n in range(9): q.put((n, camera.grab(n)))",
        "for n in range(9): frame = camera.grab(n); q.put(frame)",
        "for n in range(9): frame = camera.grab(n); q.put({'n': n, 'frame': frame})",
        "q.put(camera.grab(1)); camera.grab(2)",
        "q.put(camera.frame); camera.grab(2)",
        "Source(open('/dev/video0')).send(q)",
    ],
)
def test_ways_to_what_the_object_keeps(body: str) -> None:
    assert found_in(CAMERA.format(grab=_FILLED, body=body)) == ["LP227"]


@pytest.mark.parametrize("grab", ["return n, self.frame", "return {'frame': self.frame}"])
def test_gap_a_method_that_gives_it_within_something_else(grab: str) -> None:
    # gap: what is given is the tuple or dict, which is new each time
    assert found_in(CAMERA.format(grab=f"self.frame[:] = n; {grab}", body=_SENT)) == []


@pytest.mark.parametrize(
    ("grab", "body"),
    [
        ("self.frame[:] = n; return self.frame.copy()", _SENT),
        ("self.frame = np.full(9, n); return self.frame", _SENT),
        ("self.frame = np.zeros(9); self.frame[:] = n; return self.frame", _SENT),
        ("self.number += 1; return self.number", _SENT),
        ("self.number += 1; frame = self.frames[self.number % 2]; frame[:] = n; return frame", _SENT),
        ("return self.frame", _SENT),
        (_FILLED, "for n in range(9): q.put(camera.grab(n).copy())"),
        (_FILLED, "for n in range(9): q.put(float(camera.grab(n).mean()))"),
        (_FILLED, "for n in range(9): camera = Camera(None); q.put(camera.grab(n))"),
        (_FILLED, "for n in range(9): q.put(Camera(None).grab(n))"),
        (_FILLED, "q.put(camera.grab(1)); camera.close()"),
        (_FILLED, "results = mp.Queue()\n    for n in range(9): q.put(camera.grab(n)); results.get()"),
        (_FILLED, "q.put(camera.number); camera.grab(2)"),
    ],
)
def test_a_method_that_gives_something_else_each_time(grab: str, body: str) -> None:
    assert found_in(CAMERA.format(grab=grab, body=body)) == []


def test_gap_another_name_of_the_object() -> None:
    # gap: `view` is `buf`
    assert found(f"buf = np.zeros(9)\nview = buf\n{LOOP}view[:] = n\n    q.put(buf)") == []


def test_gap_a_buffer_that_a_generator_fills_anew() -> None:
    # gap: what the generator gives is one array
    text = "def frames():\n    buf = np.zeros(9)\n    for n in range(9):\n        buf[:] = n\n        yield buf\n"
    text += "def main():\n    q = mp.Queue()\n    mp.Process(target=print, args=(q,)).start()\n"
    assert found_in(text + "    for buf in frames():\n        q.put(buf)\n") == []


RUN = """\
class Counter({base}):
    def __init__(self, out):
        super().__init__()
        self.out = out
        self.rows = []

    def run(self):
        {body}


def main():
    out = mp.Queue()
    mp.Process(target=print, args=(out,)).start()
    counter = Counter(out)
    {starts}
"""
_PUT_AT_END = "for n in range(9): self.rows.append(n)\n        self.out.put(self.rows)"


@pytest.mark.parametrize(
    ("base", "body", "starts", "fires"),
    [
        ("mp.Process", _PUT_AT_END, "counter.start()", False),
        ("mp.get_context('spawn').Process", _PUT_AT_END, "counter.start()", False),
        ("mp.Process", "for n in range(9): self.rows.append(n); self.out.put(self.rows)", "counter.start()", True),
        ("mp.Process", "self.out.put(self.rows); self.rows.append(1)", "counter.start()", True),
    ],
)
def test_a_process_runs_once(base: str, body: str, starts: str, fires: bool) -> None:
    text = IMPORTS + HEAD + RUN.format(base=base, body=body, starts=starts) + GUARD
    assert [code for _, code in marks(text, pedantic=True) if code == "LP227"] == ["LP227"] * fires


def test_a_method_that_may_run_again() -> None:
    body = RUN.format(base="object", body=_PUT_AT_END, starts="for _ in range(3): counter.run()")
    text = IMPORTS + HEAD + body + GUARD
    assert "LP227" in [code for _, code in marks(text, pedantic=True)]
