"""LP212: own-primitive-in-worker."""

from __future__ import annotations

import pytest

from lintpickle.analyses.waiting.waits import MAIN_WAITS, WORKER_GOES_ON, WORKER_WAITS
from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint


class TestPage(PageTests):
    code = "LP212"


@pytest.mark.parametrize("name", ["Lock()", "Queue()", "Event()", "Array('i', 3)", "Value('i', 0)"])
def test_what_a_module_makes_at_import(name: str) -> None:
    body = f"N = mp.{name}\ndef g():\n    print(N)\ndef main():\n    mp.Process(target=g).start()\n"
    assert codes(f"{body}if __name__ == '__main__':\n    main()\n") == ["LP212"]


@pytest.mark.parametrize(
    ("made", "fires"),
    [
        ("N = mmap.mmap(-1, 8)", True),
        ("N = mmap.mmap(open('f').fileno(), 0)", False),
        ("M, N = socket.socketpair()", True),
        ("M, N = os.pipe()", True),
        ("M, N = mp.Pipe()", True),
        ("M, N = os.path.split('a/b')", False),
        ("N = socket.socket()", False),
    ],
)
def test_what_joins_processes_that_are_forked(made: str, fires: bool) -> None:
    body = f"import mmap, os, socket\n{made}\ndef g():\n    print(N)\ndef main():\n    mp.Process(target=g).start()\n"
    assert ("LP212" in codes(f"{body}if __name__ == '__main__':\n    main()\n")) is fires


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("N = mp.Lock()\ndef g():\n    pass\ndef main():\n    mp.Process(target=g)\n", id="not used"),
        pytest.param(
            "def g(n):\n    n.acquire()\ndef main():\n    mp.Process(target=g, args=(mp.Lock(),))\n", id="passed"
        ),
        pytest.param(
            "import threading\nN = threading.Lock()\ndef g():\n    print(N)\ndef main():\n    mp.Process(target=g)\n",
            id="of threads",
        ),
        pytest.param(
            "N = mp.Lock()\ndef g():\n    N.acquire()\ndef main():\n    mp.get_context('fork').Process(target=g)\n",
            id="forked",
        ),
    ],
)
def test_what_workers_share_or_do_not_need(body: str) -> None:
    assert codes(f"{body}if __name__ == '__main__':\n    main()\n") == []


METER = """\
class Meter:
    def __init__(self):
        self.done = {made}
        self.name = "meter"

    def tick(self):
        {use}

    def adopt(self, done):
        self.done = done


meter = Meter()
"""


def _of_meter(work: str, start: str, made: str = "mp.Value('i', 0)", use: str = "self.done.value += 1") -> list[str]:
    body = f"{METER.format(made=made, use=use)}{work}\ndef main():\n    {start}\n"
    return codes(f"import threading\n{body}if __name__ == '__main__':\n    main()\n")


@pytest.mark.parametrize(
    "work",
    [
        "def g():\n    meter.tick()",
        "def g():\n    meter.done.value += 1",
        "def g():\n    with meter.done.get_lock():\n        pass",
        "def count():\n    meter.tick()\ndef g():\n    count()",
    ],
)
def test_what_an_object_made_at_import_holds(work: str) -> None:
    assert _of_meter(work, "mp.Process(target=g).start()") == ["LP212"]


@pytest.mark.parametrize(
    ("work", "start"),
    [
        pytest.param("def g():\n    print(meter.name)", "mp.Process(target=g).start()", id="another attribute"),
        pytest.param("def g(it):\n    it.tick()", "mp.Process(target=g, args=(meter,)).start()", id="passed"),
        pytest.param("", "mp.Process(target=meter.tick).start()", id="of the target"),
        pytest.param(
            "def g(it):\n    print(meter.name)\n    it.tick()",
            "mp.Process(target=g, args=(Meter(),)).start()",
            id="of another object",
        ),
        pytest.param(
            "def take(done):\n    meter.adopt(done)\ndef g(number):\n    meter.tick()",
            "mp.Pool(2, initializer=take, initargs=(meter.done,)).map(g, [1])",
            id="given by an initializer",
        ),
        pytest.param("def g():\n    meter.tick()", "mp.get_context('fork').Process(target=g).start()", id="forked"),
    ],
)
def test_what_is_shared_or_not_used_of_an_object(work: str, start: str) -> None:
    assert _of_meter(work, start) == []


@pytest.mark.parametrize("made", ["threading.Lock()", "dict(value=0)", "None"])
def test_objects_that_hold_nothing_shared(made: str) -> None:
    assert _of_meter("def g():\n    meter.tick()", "mp.Process(target=g).start()", made, "print(self.done)") == []


COUNTING = """\
class Runner:
    done = mp.Value("i", 0)

    @classmethod
    def begin(cls, done):
        {begin}

    @classmethod
    def run(cls, number):
        cls.done.value += 1


{more}


def main():
    {start}


if __name__ == "__main__":
    main()
"""
_BEGINS = "mp.Pool(2, initializer=Runner.begin, initargs=(Runner.done,)).map(Runner.run, [1])"
_BEGINS_BY = _BEGINS.replace("Runner.begin", "begin")
_BY_FUNCTION = "def begin(done):\n    {}"


@pytest.mark.parametrize(
    ("begin", "more", "start", "fires"),
    [
        pytest.param("cls.done = done", "", _BEGINS, False, id="by a classmethod"),
        pytest.param("setattr(cls, 'done', done)", "", _BEGINS, False, id="by setattr"),
        pytest.param("Runner.done = done", "", _BEGINS, False, id="by the name of the class"),
        pytest.param("pass", _BY_FUNCTION.format("Runner.done = done"), _BEGINS_BY, False, id="by a function"),
        pytest.param(
            "cls.done = done", _BY_FUNCTION.format("Runner.begin(done)"), _BEGINS_BY, False, id="by way of one"
        ),
        pytest.param("cls.done = mp.Value('i', 0)", "", _BEGINS, True, id="another of its own"),
        pytest.param("cls.other = done", "", _BEGINS, True, id="another attribute"),
        pytest.param("done.done = done", "", _BEGINS, True, id="of another object"),
        pytest.param("cls.done = done", "", "mp.Pool(2).map(Runner.run, [1])", True, id="never called"),
        pytest.param("pass", _BY_FUNCTION.format("print(done)"), _BEGINS_BY, True, id="only taken"),
    ],
)
def test_what_a_class_makes_and_an_initializer_replaces(begin: str, more: str, start: str, fires: bool) -> None:
    assert ("LP212" in codes(COUNTING.format(begin=begin, more=more, start=start))) is fires


WAITING = """\
{made}
def work():
    {worker}
def main():
    process = mp.Process(target=work)
    process.start()
    {main}
    process.join()
if __name__ == "__main__":
    main()
"""


def end_of(made: str, worker: str, main: str) -> str | None:
    """What is said to become of a program."""
    code = WAITING.format(made=made, worker=worker.replace("; ", "\n    "), main=main)
    (found,) = lint(f"import multiprocessing as mp\n{code}").diagnostics
    return found.error


@pytest.mark.parametrize(
    ("made", "worker", "main", "error"),
    [
        ("N = mp.Event()", "N.wait()", "N.set()", WORKER_WAITS),
        ("N = mp.Event()", "N.wait(timeout=None)", "N.set()", WORKER_WAITS),
        ("N = mp.Event()", "while not N.is_set(): print(1)", "N.set()", WORKER_GOES_ON),
        ("N = mp.Event()", "while not N.wait(0.1): print(1)", "N.set()", WORKER_GOES_ON),
        ("N = mp.Event()", "while True:\n        if N.is_set():\n            break", "N.set()", WORKER_GOES_ON),
        ("N = mp.Queue()", "for task in iter(N.get, None): print(task)", "N.put(None)", WORKER_WAITS),
        ("N = mp.Queue()", "N.get(True)", "N.put(None)", WORKER_WAITS),
        ("N = mp.Queue()", "N.put(1)", "N.get()", MAIN_WAITS),
        ("N = mp.Queue()", "N.get(); N.put(1)", "N.put(None)", WORKER_WAITS),
        ("N = mp.Semaphore(0)", "with N: print(1)", "N.release()", WORKER_WAITS),
        ("N = mp.Condition()", "with N: N.wait_for(lambda: True)", "N.notify()", WORKER_WAITS),
        ("N = mp.Value('i', 0)", "while N.value == 0: print(1)", "N.value = 1", WORKER_GOES_ON),
        ("M, N = mp.Pipe()", "N.send(1)", "M.recv()", MAIN_WAITS),
        ("N = mp.Barrier(2)", "N.wait()", "N.wait()", WORKER_WAITS),
    ],
)
def test_what_waits_for_ever(made: str, worker: str, main: str, error: str) -> None:
    assert end_of(made, worker, main) == error


@pytest.mark.parametrize(
    ("made", "worker", "main"),
    [
        pytest.param("N = mp.Event()", "N.wait(5)", "N.set()", id="not for long"),
        pytest.param("N = mp.Event()", "N.wait(timeout=1)", "N.set()", id="told how long"),
        pytest.param("N = mp.Event()", "print(N.is_set())", "N.set()", id="asks"),
        pytest.param("N = mp.Event(); N.set()", "N.wait()", "N.set()", id="set at import"),
        pytest.param("N = mp.Event()", "N.set(); N.wait()", "N.set()", id="set by itself"),
        pytest.param("N = mp.Event()", "while not N.is_set(): return", "N.set()", id="leaves the loop"),
        pytest.param("N = mp.Event()", "while not N.is_set():\n        if print(1): break", "N.set()", id="may end"),
        pytest.param("N = mp.Event()", "while not N.is_set(): print(1)", "pass", id="nobody ends it"),
        pytest.param("N = mp.Event()", "while not N.is_set(): print(1)", "process.terminate()", id="ended otherwise"),
        pytest.param("N = mp.Queue()", "N.get(False)", "N.put(1)", id="does not wait"),
        pytest.param("N = mp.Queue()", "N.get_nowait()", "N.put(1)", id="takes what is there"),
        pytest.param("N = mp.Queue()", "while not N.empty(): N.get()", "N.put(1)", id="asks first"),
        pytest.param("N = mp.Queue()", "N.put(1); N.get()", "N.put(1)", id="takes its own"),
        pytest.param("N = mp.Queue()", "print(N); N.get()", "N.put(1)", id="hands it on"),
        pytest.param("N = mp.Queue()", "N.put(1)", "N.get(timeout=3)", id="main does not wait for ever"),
        pytest.param("N = mp.Queue()", "N.put(1)", "N.put(2); N.get()", id="main takes its own"),
        pytest.param("N = mp.Semaphore(2)", "with N: print(1)", "N.release()", id="some are free"),
        pytest.param("N = mp.Lock()", "with N: print(1)", "N.release()", id="a lock is free"),
        pytest.param("N = mp.Value('i', 0)", "N.value += 1", "print(N.value)", id="counts"),
        pytest.param("M, N = mp.Pipe()", "if N.poll(1): N.recv()", "M.send(1)", id="asks the pipe"),
    ],
)
def test_what_does_not(made: str, worker: str, main: str) -> None:
    assert end_of(made, worker, main) is None


def test_daemonic_workers_that_nobody_waits_for_just_end() -> None:
    lines = WAITING.replace("target=work", "target=work, daemon=True").replace("    process.join()\n", "")
    code = lines.format(made="N = mp.Queue()", worker="N.get()", main="N.put(1)")
    (found,) = lint(f"import multiprocessing as mp\n{code}").diagnostics
    assert found.error is None


def test_an_initializer_may_give_what_workers_wait_for() -> None:
    code = (
        "import multiprocessing as mp\n\nN = mp.Queue()\n\n\ndef fill():\n    N.put(1)\n\n\ndef work(number):\n"
        "    return N.get()\n\n\nif __name__ == '__main__':\n    with mp.Pool(1, fill) as pool:\n"
        "        pool.map(work, [1])\n"
    )
    assert [each.error for each in lint(code).diagnostics if each.code == "LP212"] in ([None], [None, None])


ON_DEMAND = """\
import multiprocessing as mp
from functools import cache, lru_cache

_stop = None


FACTORY


def work(steps):
    while not WORKER.is_set():
        steps += 1


def main():
    signal = MAIN
    process = mp.Process(target=work, args=(1,))
    process.start()
    signal.set()
    process.join()


if __name__ == "__main__":
    main()
"""
CACHED = "@lru_cache(maxsize=None)\ndef stop_signal():\n    return mp.Event()"
LAZY = "def stop_signal():\n    global _stop\n    if _stop is None:\n        _stop = mp.Event()\n    return _stop"


def on_demand(factory: str, worker: str = "stop_signal()", main: str = "stop_signal()") -> list[str]:
    source = ON_DEMAND.replace("FACTORY", factory).replace("WORKER", worker).replace("MAIN", main)
    return [each.code for each in lint(source).diagnostics if each.code == "LP212"]


@pytest.mark.parametrize(
    "factory",
    [
        CACHED,
        CACHED.replace("@lru_cache(maxsize=None)", "@cache"),
        CACHED.replace("@lru_cache(maxsize=None)", "@lru_cache"),
        CACHED.replace("mp.Event()", "mp.get_context('spawn').Event()"),
        LAZY,
        LAZY.replace("if _stop is None", "if not _stop"),
        LAZY + "\n\n\ndef reset():\n    global _stop\n    _stop = None",
    ],
)
def test_what_a_function_makes_once_in_each_process(factory: str) -> None:
    assert on_demand(factory) == ["LP212"]


ASKED_FOR = """\
import multiprocessing as mp
from functools import lru_cache


@lru_cache(maxsize=None)
def messages():
    return mp.Queue()


def fill(target):
    target.put(1)


def work():
    WORKER


def main():
    process = mp.Process(target=work)
    process.start()
    messages().put(None)
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("worker", "error"),
    [
        pytest.param("print(messages().get())", WORKER_WAITS, id="only takes"),
        pytest.param("messages().put(1)\n    print(messages().get())", None, id="puts itself"),
        pytest.param("fill(messages())\n    print(messages().get())", None, id="hands it to what puts"),
        pytest.param("fill(target=messages())\n    print(messages().get())", None, id="hands it by name"),
    ],
)
def test_the_end_of_a_wait_at_what_a_function_makes(worker: str, error: str | None) -> None:
    (found,) = lint(ASKED_FOR.replace("WORKER", worker)).diagnostics
    assert (found.code, found.error) == ("LP212", error)


GIVEN = "\n\n\ndef share(event):\n    global _stop\n    _stop = event"


@pytest.mark.parametrize(
    ("factory", "worker", "main"),
    [
        pytest.param(CACHED.replace("mp.Event", "mp.Manager"), "stop_signal()", "stop_signal()", id="not shared so"),
        pytest.param(
            "import threading\n\n" + CACHED.replace("mp.", "threading."), "stop_signal()", "stop_signal()", id="threads"
        ),
        pytest.param(CACHED, "mp.Event()", "stop_signal()", id="only main asks"),
        pytest.param(CACHED, "stop_signal()", "mp.Event()", id="only the worker asks"),
        pytest.param(
            CACHED.replace("mp.Event", "mp.get_context('fork').Lock"), "steps", "stop_signal()", id="not used"
        ),
        pytest.param(
            LAZY + GIVEN + "\n\n\ndef begin(event, steps):\n    share(event)\n    work(steps)\n\n\n"
            "def start():\n    mp.Process(target=begin, args=(stop_signal(), 1)).start()",
            "stop_signal()",
            "start()",
            id="the worker is given main's",
        ),
        pytest.param(
            "@lru_cache\ndef stop_signal(name):\n    return mp.Event()",
            "stop_signal('a')",
            "stop_signal('b')",
            id="by name",
        ),
    ],
)
def test_what_a_function_makes_otherwise(factory: str, worker: str, main: str) -> None:
    assert on_demand(factory, worker, main) == []


def test_a_worker_that_is_given_the_object_by_its_initializer() -> None:
    source = (
        ON_DEMAND.replace("FACTORY", LAZY + GIVEN).replace("WORKER", "stop_signal()").replace("MAIN", "stop_signal()")
    )
    pool = "with mp.Pool(2, initializer=share, initargs=(signal,)) as pool:\n        pool.map(work, [1, 2])"
    source = source.replace("process = mp.Process(target=work, args=(1,))\n    process.start()", pool)
    source = source.replace("    process.join()\n", "")
    assert [each.code for each in lint(source).diagnostics if each.code == "LP212"] == []


COUNTED = """\
import multiprocessing as mp
import sys

lock = mp.Lock()
counter = mp.Value("i", 0)
total = 0


def listen(queue, path):
    file = open(path, "a")
    while True:
        line = queue.get()
        file.write(line)
        {listening}


def draw(index, queue):
    global total
    queue.put(str(index))
    {drawing}


def main(queue):
    with mp.Pool(4) as pool:
        pool.apply_async(listen, (queue, "labels.txt"))
        pool.starmap(draw, [(index, queue) for index in range(100)])


if __name__ == "__main__":
    main(mp.Manager().Queue())
"""
FLUSHES = "if counter.value % 1000 == 0:\n            file.flush()"
PROGRESS = (
    "counter.value += 1\n        end = '\\n' if counter.value == 100 else '\\r'\n"
    "        if counter.value % 10 == 0:\n            print('{}'.format(counter.value), end=end)"
)


def _words(listening: str, drawing: str) -> list[str]:
    found = lint(COUNTED.format(listening=listening, drawing=drawing)).diagnostics
    return [each.message.partition(", which")[0] for each in found if each.code == "LP212"]


def test_a_lock_of_a_counter_and_a_counter_of_flushes() -> None:
    flushes = "with lock:\n            if counter.value % 1000 == 0:\n                file.flush()"
    (found,) = _words(flushes, f"with lock:\n        {PROGRESS}")
    assert found == "`draw` runs in workers and uses `counter`"
    assert _words(FLUSHES, "pass") == []


@pytest.mark.parametrize(
    "drawing",
    [
        pytest.param("with lock:\n        print(index)", id="prints only"),
        pytest.param("with lock:\n        open('log', 'a').write(str(counter.value))", id="writes"),
        pytest.param("with lock:\n        total = counter.value", id="another global"),
        pytest.param("with lock:\n        counter.value += 1\n    with lock:\n        queue.put(1)", id="twice"),
        pytest.param("with lock:\n        counter.value += 1\n        queue.put(counter.value)", id="puts"),
        pytest.param("lock.acquire()\n    queue.put(counter.value)\n    lock.release()", id="acquired"),
    ],
)
def test_a_lock_of_more(drawing: str) -> None:
    assert "`draw` runs in workers and uses `lock`" in _words("pass", drawing)


@pytest.mark.parametrize(
    "listening",
    [
        pytest.param("if counter.value == 100:\n            break", id="ends"),
        pytest.param(f"{FLUSHES}\n        counter.value += 1", id="counts"),
        pytest.param(f"{FLUSHES}\n        else:\n            file.write('.')", id="or writes"),
    ],
)
def test_a_counter_of_more(listening: str) -> None:
    assert _words(listening, "pass") == ["`listen` runs in workers and uses `counter`"]


ADOPTED = """\
import multiprocessing as mp

stop = mp.Event()


def adopt(event):
    global stop
    stop = {given}


def work(event, steps):
    {first}
    while not stop.is_set():
        steps += 1


def main():
    {main}
    process = mp.Process(target=work, args=(stop, 1))
    process.start()
    stop.set()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("first", "given", "main", "fires"),
    [
        pytest.param("adopt(event)", "event", "print('go')", False, id="given as an argument"),
        pytest.param("if event: adopt(event)", "event or stop", "print('go')", False, id="if there is one"),
        pytest.param("global stop; stop = event", "event", "print('go')", False, id="stored by the worker itself"),
        pytest.param("adopt(event)", "mp.Event()", "print('go')", True, id="another of its own"),
        pytest.param("print(event)", "event", "adopt(mp.Event())", True, id="adopted by the main process alone"),
        pytest.param("print(event)", "event", "print('go')", True, id="never adopted"),
    ],
)
def test_a_global_that_workers_replace_by_what_they_are_given(first: str, given: str, main: str, fires: bool) -> None:
    source = ADOPTED.format(first=first, given=given, main=main)
    assert ("LP212" in [each.code for each in lint(source).diagnostics]) is fires


def test_an_initializer_that_gives_workers_the_object_of_the_main_process() -> None:
    source = (
        ADOPTED.format(first="print(event)", given="event", main="print('go')")
        .replace("process = mp.Process(target=work, args=(stop, 1))", "pool = mp.Pool(2, adopt, (stop,))")
        .replace("process.start()", "pool.apply_async(work, (None, 1))")
        .replace("process.join()", "pool.close()\n    pool.join()")
    )
    assert "LP212" not in [each.code for each in lint(source).diagnostics]


_BLOCK = """\
import ctypes
from multiprocessing import shared_memory, sharedctypes
import numpy as np
N = {made}
def g():
    N[0] = 1
def main():
    mp.Process(target=g).start()
    print(N)
if __name__ == '__main__':
    main()
"""


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("mp.RawArray('i', 3)", ["LP212"]),
        ("mp.get_context().RawArray('i', 3)", ["LP212"]),
        ("sharedctypes.RawArray('i', 3)", ["LP212"]),
        ("sharedctypes.synchronized(sharedctypes.RawArray('i', 3))", ["LP212"]),
        ("shared_memory.SharedMemory(create=True, size=8)", ["LP212"]),
        ("shared_memory.SharedMemory(None, True, 8)", ["LP212"]),
        ("shared_memory.ShareableList([0, 0])", ["LP212"]),
        ("np.frombuffer(mp.RawArray('d', 4))", ["LP212"]),
        ("np.frombuffer(mp.Array('d', 4).get_obj()).reshape(2, 2)", ["LP212"]),
        ("shared_memory.SharedMemory('grid', create=True, size=8)", ["LP215"]),
        ("shared_memory.SharedMemory('grid', True, 8)", ["LP215"]),
        ("shared_memory.SharedMemory('grid')", []),
        ("shared_memory.SharedMemory(name=NAME, create=False)", []),
        ("shared_memory.ShareableList(name='flags')", []),
        ("np.frombuffer(b'12345678')", []),
    ],
)
def test_blocks_of_memory_that_an_import_makes(made: str, expected: list[str]) -> None:
    assert codes(_BLOCK.format(made=made)) == expected


@pytest.mark.parametrize(
    ("use", "fires"),
    [
        ("return N[place]", False),
        ("return sum(N) + len(N) + max(N[1:])", False),
        ("return [each for each in N if each in N]", False),
        ("with N.get_lock():\n        return N[0]", True),
        ("N[place] = 1", True),
        ("N[place] += 1", True),
        ("N[place].x = 1", True),
        ("N[place], rest = place, 1", True),
        ("fill(N)", True),
        ("return np.frombuffer(N)", True),
    ],
)
def test_a_table_that_nobody_changes(use: str, fires: bool) -> None:
    body = f"N = mp.Array('i', [2, 3, 5])\ndef g(place):\n    {use}\ndef main():\n    mp.Pool(2).map(g, [0])\n"
    assert ("LP212" in codes(f"{body}if __name__ == '__main__':\n    main()\n")) is fires


HANDED_ON = """\
N = mp.Queue()
def notify(messages):
    print(messages.get())
def work():
    mp.Process(target=notify, args=({given},)).start()
    N.put("begun")
def main():
    mp.Process(target=work).start()
    {main}
"""


@pytest.mark.parametrize(
    ("given", "main", "fires"),
    [
        pytest.param("N", "print('started')", False, id="the worker starts the reader"),
        pytest.param("N", "N.put('stop')", True, id="the main process uses it, too"),
        pytest.param("mp.Queue()", "print('started')", True, id="the reader is given another one"),
    ],
)
def test_a_worker_that_gives_its_own_to_a_process_that_it_starts(given: str, main: str, fires: bool) -> None:
    body = HANDED_ON.format(given=given, main=main)
    assert ("LP212" in codes(f"{body}if __name__ == '__main__':\n    main()\n")) is fires


def test_a_class_whose_queue_a_worker_hands_on() -> None:
    body = (
        "class Game:\n    queue = mp.Queue()\n    @staticmethod\n    def play():\n"
        "        mp.Process(target=notify, args=(1, Game.queue)).start()\n        Game.queue.put(1)\n"
        "def notify(number, queue):\n    print(queue.get())\n"
        "def main():\n    mp.Process(target=Game.play).start()\nif __name__ == '__main__':\n    main()\n"
    )
    assert "LP212" not in codes(body)
    assert "LP212" in codes(body.replace("(1, Game.queue)", "(1, None)"))
