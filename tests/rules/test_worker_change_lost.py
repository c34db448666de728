"""LP207: globals that a worker changes and only the code that started it reads."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP207"


TEXT = """\
import multiprocessing
import os
from multiprocessing import Manager, Process

FOUND = {bound}


def work(number, shared=None):
    {change}


{elsewhere}


def main(numbers):
    {start}
    {read}


if __name__ == "__main__":
    main([1, 2])
"""
PROCESS = "Process(target=work, args=(1,)).start()"
POOL = "with multiprocessing.Pool(2) as pool:\n        pool.map(work, numbers)"


def _is_found(
    bound: str = "[]",
    change: str = "FOUND.append(number)",
    start: str = PROCESS,
    read: str = "print(FOUND)",
    elsewhere: str = "",
) -> bool:
    text = TEXT.format(bound=bound, change=change, start=start, read=read, elsewhere=elsewhere)
    return [code for _, code in marks(text)] == ["LP207"]


@pytest.mark.parametrize(
    ("bound", "change"),
    [
        ("[]", "FOUND.append(number)"),
        ("[]", "FOUND.extend([number])  # FOUND"),
        ("{}", "FOUND[number] = os.getpid()"),
        ("dict()", "FOUND[number] += 1"),
        ("set()", "if number:\n        FOUND.add(number)"),
        ("{}", "FOUND.setdefault(number, 1)"),
        ("0", "global FOUND\n    FOUND += number"),
        ("None", "global FOUND\n    FOUND = number\n    print(FOUND)"),
        ("0", "global FOUND\n    FOUND = FOUND + number"),
        ("[]", "FOUND.append(len(FOUND))"),
        ("False", "global FOUND\n    FOUND = True"),
        ("[]", "global FOUND\n    FOUND = [number]"),
        ("''", "global FOUND\n    for FOUND in os.listdir('.'):\n        pass"),
    ],
)
def test_ways_to_change_it(bound: str, change: str) -> None:
    assert _is_found(bound, change)
    assert _is_found(bound, change, POOL)


@pytest.mark.parametrize(
    "read",
    [
        "print(FOUND)",
        "return FOUND",
        "while not FOUND:\n        pass",
        "for each in FOUND:\n        print(each)",
        "return FOUND[0] if FOUND else None",
        "return len(FOUND)",
        "assert FOUND == [1]",
        "numbers.extend(FOUND)",
    ],
)
def test_ways_to_read_it(read: str) -> None:
    assert _is_found(read=read)


def test_what_the_starter_calls_reads() -> None:
    assert _is_found(read="show()", elsewhere="def show():\n    print(FOUND)")


def test_a_function_that_the_workers_own_calls() -> None:
    record = "def record(number):\n    FOUND.append(number)"
    assert _is_found(change="record(number)", elsewhere=record)
    assert not _is_found(change="record(number)", elsewhere=f"{record}\n\nrecord(0)")


def test_a_loop_in_the_main_guard() -> None:
    text = TEXT.format(bound="[]", change="FOUND.append(number)", start="pass", read="pass", elsewhere="")
    text = text.replace("main([1, 2])", f"{PROCESS}\n    print(FOUND)")
    assert [code for _, code in marks(text)] == ["LP207"]


@pytest.mark.parametrize(
    ("bound", "change"),
    [
        ("[]", "print(number)"),
        ("[]", "FOUND = [number]\n    FOUND.append(number)"),
        ("[]", "print(FOUND)\n    FOUND.append(number)"),
        ("[]", "shared.append(number)"),
        ("{}", "if FOUND:\n        print(FOUND)\n    FOUND[number] = 1"),
        ("0", "global FOUND\n    if not FOUND:\n        FOUND = number"),
        ("0", "FOUND = number"),
        ("[]", "last = FOUND.pop()"),
        ("[1]", "FOUND.append(number)"),  # gap: a list that is not empty
        ("Manager().list()", "FOUND.append(number)"),
        ("multiprocessing.Queue()", "FOUND.put(number)"),
        ("multiprocessing.Array('i', 3)", "FOUND[0] = number"),
        ("os.environ", "FOUND['a'] = 'b'"),
        ("[]", "rows = FOUND\n    rows.append(number)"),  # gap: another name
    ],
)
def test_what_is_not_lost(bound: str, change: str) -> None:
    text = TEXT.format(bound=bound, change=change, start=PROCESS, read="print(FOUND)", elsewhere="")
    assert "LP207" not in [code for _, code in marks(text)]


@pytest.mark.parametrize(
    ("start", "read", "elsewhere"),
    [
        (PROCESS, "pass", ""),
        (PROCESS, "FOUND.clear()", ""),
        (PROCESS, "print('FOUND')", ""),
        (PROCESS, "print(numbers.FOUND)", ""),
        (f"print(FOUND)\n    {PROCESS}", "pass", ""),
        (PROCESS, "print(FOUND)", "def add(number):\n    FOUND.append(number)"),
        (PROCESS, "work(2)\n    print(FOUND)", ""),
        ("multiprocessing.dummy.Process(target=work)", "print(FOUND)", ""),
        ("print(numbers)", "print(FOUND)", ""),
        (PROCESS, "FOUND = []\n    print(FOUND)", ""),
        (PROCESS, "show(FOUND)", "def show(FOUND):\n    print(FOUND)\n\nFOUND = 3"),
        (PROCESS, "show()", "def show():\n    tell()\n\ndef tell():\n    print(FOUND)"),  # gap: two calls away
    ],
)
def test_what_the_starter_does_not_read_or_has_itself(start: str, read: str, elsewhere: str) -> None:
    assert not _is_found(start=start, read=read, elsewhere=elsewhere)


def test_what_an_initializer_sets_for_the_function_of_the_pool() -> None:
    start = "with multiprocessing.Pool(2, work) as pool:\n        pool.map(scale, numbers)"
    scale = "def scale(number):\n    return FOUND * number"
    assert not _is_found("2", "global FOUND\n    FOUND = number", start, elsewhere=scale)
    assert _is_found("2", "global FOUND\n    FOUND = number", start, elsewhere="from math import sqrt as scale")


def test_the_callback_of_a_pool_runs_in_the_main_process() -> None:
    start = "with multiprocessing.Pool(2) as pool:\n        pool.apply_async(len, ([1],), callback=work)"
    assert not _is_found(start=start)


OBJECT = """
import multiprocessing
import threading
from concurrent.futures import ProcessPoolExecutor


class Counter:
    def __init__(self):
        self.found = {bound}

    def work(self, number):
        {change}


class Worker({base}):
    def __init__(self, number):
        super().__init__()
        self.number = number
        self.found = {bound}

    def run(self):
        number = self.number
        {change}


def main(numbers):
    counter, other = Counter(), Counter()
    {start}
    {read}


if __name__ == "__main__":
    main([1, 2])
"""
OF_POOL = "with multiprocessing.Pool() as pool:\n        pool.map(counter.work, numbers)"
OF_PROCESS = "multiprocessing.Process(target=counter.work, args=(1,)).start()"
OF_EXECUTOR = "with ProcessPoolExecutor() as executor:\n        executor.submit(counter.work, 1)"
OWN_PROCESS = "counter = Worker(1)\n    counter.start()\n    counter.join()"
OWN_PROCESSES = (
    "all_of_them = [Worker(each) for each in numbers]\n    for counter in all_of_them:\n        counter.start()"
)


def _is_lost_on_object(
    bound: str = "[]",
    change: str = "self.found.append(number)",
    start: str = OF_POOL,
    read: str = "print(counter.found)",
    base: str = "multiprocessing.Process",
) -> bool:
    text = OBJECT.format(bound=bound, change=change, start=start, read=read, base=base)
    return "LP207" in [code for _, code in marks(text)]


@pytest.mark.parametrize("start", [OF_POOL, OF_PROCESS, OF_EXECUTOR, OWN_PROCESS])
@pytest.mark.parametrize(
    ("bound", "change"),
    [
        ("[]", "self.found.append(number)"),
        ("0", "self.found += 1"),
        ("None", "self.found = number"),
        ("{}", "self.found[number] = 1"),
        ("[0] * 3", "self.found[number] += 1"),
    ],
)
def test_an_attribute_of_the_workers_object(start: str, bound: str, change: str) -> None:
    assert _is_lost_on_object(bound, change, start)


@pytest.mark.parametrize(
    "read",
    [
        "return len(counter.found)",
        "for each in counter.found:\n        print(each)",
        "if counter.found:\n        print('yes')",
        "print(f'{counter.found} of 3')",
    ],
)
def test_ways_to_read_an_attribute(read: str) -> None:
    assert _is_lost_on_object(read=read)


HELPERS = """
def total(all_of_them):
    return sum(len(each.found) for each in all_of_them)

def names(all_of_them):
    return [each.name for each in all_of_them]
"""


@pytest.mark.parametrize(("read", "fires"), [("print(total(all_of_them))", True), ("print(names(all_of_them))", False)])
def test_a_function_that_is_given_the_objects_reads(read: str, fires: bool) -> None:
    text = OBJECT.format(
        bound="[]", change="self.found.append(number)", start=OWN_PROCESSES, read=read, base="multiprocessing.Process"
    )
    assert ("LP207" in [code for _, code in marks(HELPERS + text)]) is fires


def test_processes_of_a_list() -> None:
    assert _is_lost_on_object(start=OWN_PROCESSES, read="for each in all_of_them:\n        print(each.found)")


@pytest.mark.parametrize(
    ("bound", "change"),
    [
        ("multiprocessing.Queue()", "self.found.put(number)"),
        ("multiprocessing.Value('i', 0)", "self.found.value += 1"),
        ("multiprocessing.Array('i', 3)", "self.found[0] = number"),
        ("multiprocessing.Manager().list()", "self.found.append(number)"),
        ("multiprocessing.Manager().dict()", "self.found[number] = 1"),
        ("{}", "if self.found:\n            self.found[number] = 1"),
        ("None", "if self.found is None:\n            self.found = number"),
        ("None", "self.found = None"),
        ("[]", "found = list(self.found)\n        found.append(number)"),
    ],
)
def test_what_is_not_lost_on_an_object(bound: str, change: str) -> None:
    assert not _is_lost_on_object(bound, change)
    assert not _is_lost_on_object(bound, change, OWN_PROCESS)


@pytest.mark.parametrize(
    ("start", "read"),
    [
        (OF_POOL, "print(numbers)"),
        (OF_POOL, "print(other.found)"),
        (f"print(counter.found)\n    {OF_POOL}", "pass"),
        (OF_POOL, "counter.found = [1]\n    print(counter.found)"),
        (OF_POOL, "counter.found.extend(numbers)\n    print(counter.found)"),
        (OF_POOL, "counter.work(1)\n    print(counter.found)"),
        (OF_POOL, "counter = Counter()\n    print(counter.found)"),
        (f"if len(numbers) > 1:\n        {OF_PROCESS}\n    else:\n        print(counter.found)", "pass"),
        ("threading.Thread(target=counter.work, args=(1,)).start()", "print(counter.found)"),
        ("multiprocessing.dummy.Pool().map(counter.work, numbers)", "print(counter.found)"),
    ],
)
def test_an_attribute_that_main_does_not_miss(start: str, read: str) -> None:
    assert not _is_lost_on_object(start=start, read=read)


def test_a_thread_of_its_own_shares_the_object() -> None:
    assert not _is_lost_on_object(start=OWN_PROCESS, base="threading.Thread")


def test_an_object_that_comes_back() -> None:
    text = """
import multiprocessing

class Job:
    def __init__(self):
        self.found = []

    def run(self):
        self.found.append(1)

def run(job):
    job.run()
    return job

class Batch:
    def __init__(self):
        self.jobs = [Job(), Job()]

    def work(self):
        with multiprocessing.Pool() as pool:
            self.jobs = pool.map(run, self.jobs)
        print([job.found for job in self.jobs])

if __name__ == "__main__":
    Batch().work()
"""
    assert "LP207" not in [code for _, code in marks(text)]


SAME_OBJECT = """
import multiprocessing

class Batch:
    def __init__(self, numbers):
        self.numbers = numbers
        self.found = []

    def work(self, number):
        self.found.append(number)

    def run(self):
        self.found = []
        with multiprocessing.Pool() as pool:
            pool.map(self.work, self.numbers)
        return self.found
{also}
if __name__ == "__main__":
    print(Batch([1, 2]).run())
"""


@pytest.mark.parametrize(
    ("also", "fires"),
    [
        ("", True),
        ("\n    def reset(self):\n        self.found.clear()\n", True),
        ("\n    def add(self, number):\n        self.found.append(number)\n", False),
        ("\n    def serial(self):\n        self.work(1)\n", False),
        ("\nclass Other:\n    def add(self, number):\n        self.found.append(number)\n", True),
    ],
)
def test_a_method_that_sends_another_one_of_its_object(also: str, fires: bool) -> None:
    assert ("LP207" in [code for _, code in marks(SAME_OBJECT.format(also=also))]) is fires


def test_an_object_that_the_workers_object_holds() -> None:
    text = """
import multiprocessing

class Report:
    def __init__(self):
        self.skipped = []

    def on_skip(self, name):
        self.skipped.append(name)

class Resizer:
    def __init__(self, listeners):
        self.listeners = list(listeners)

    def process(self, name):
        for listener in self.listeners:
            listener.on_skip(name)

class Batch:
    def __init__(self, resizer):
        self.resizer = resizer

    def run(self, images):
        with multiprocessing.Pool() as pool:
            return pool.map(self.resizer.process, images)

def main():
    report = Report()
    Batch(Resizer([report])).run(["a", "b"])
    print(report.skipped)

if __name__ == "__main__":
    main()
"""
    assert marks(text) == [(9, "LP207")]


TILES = """\
import multiprocessing as mp


class Cache:
    def __init__(self):
        self.hits = 0
        self.tiles = {{}}

    def get(self, key):
        if key in self.tiles:
            self.hits += 1
        return self.tiles.setdefault(key, key * 2)


class Renderer:
    def __init__(self, cache):
        self.cache = cache

    def strip(self, row):
        return sum(self.cache.get(column % 2) for column in range(row))


def main():
    renderer = Renderer(Cache())
    {first}
    with mp.Pool(2) as pool:
        print(pool.map(renderer.strip, range(4)))
    print("hits in the parent", renderer.cache.hits)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("first", "seen"),
    [
        pytest.param("print('begins')", "`main()` still sees `0`", id="main has done nothing"),
        pytest.param(
            "renderer.strip(4)", "`main()` still sees only what the main process changes itself", id="main has done so"
        ),
    ],
)
def test_what_main_sees_where_it_does_the_same(first: str, seen: str) -> None:
    found = [each for each in lint(TILES.format(first=first)).diagnostics if each.code == "LP207"]
    assert len(found) == 1
    assert found[0].message.endswith(seen)


LOGS = """\
import multiprocessing as mp
import os

PATH = ""


class Log:
    path = ""

    def set_up(self, name):
        self.__name_after(name)

    def __name_after(self, name):
        self.path {stores} os.path.join("logs", name)

    def write(self, text):
        print(self.path, text)


LOG = Log()


def __set_up(name):
    global PATH
    PATH {stores} os.path.join("logs", name)


def work(row):
    {called}(str(row))
    print(row)


def main():
    {first}
    with mp.Pool(2) as pool:
        pool.map(work, range(4))
    {read}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("called", "first", "read", "stores", "is_found"),
    [
        ("__set_up", "__set_up('all')", "print(PATH)", "=", False),
        ("__set_up", "print('begins')", "print(PATH)", "=", True),
        ("LOG.set_up", "LOG.set_up('all')", "LOG.write('done')", "=", False),
        ("LOG.set_up", "print('begins')", "LOG.write('done')", "=", True),
        ("LOG.set_up", "LOG.set_up('all')", "LOG.write('done')", "+=", True),
        ("LOG.set_up", "LOG.set_up('all')", "LOG.write('done')", "= self.path +", True),
    ],
)
def test_what_each_process_sets_up_for_itself(called: str, first: str, read: str, stores: str, is_found: bool) -> None:
    text = LOGS.format(called=called, first=first, read=read, stores=stores)
    assert ("LP207" in [code for _, code in marks(text)]) is is_found


KEPT = """\
import multiprocessing as mp
import threading


class Tally:
    def __init__(self):
        self.names = []

    def note(self, name):
        self.names.append(name)

    def count(self):
        return len(self.names)


class Shout:
    def note(self, name):
        print(name)


class Step:
    def __init__(self, sink):
        self.sink = sink

    def run(self, name):
        self.sink(name)


class Plain:
    def __init__(self, sink):
        self.taken_by = sink


def main(names):
    tally, shout = Tally(), Shout()
    {made}
    with mp.Pool(2) as pool:
        {sent}
    {read}


if __name__ == "__main__":
    main(["a", "b"])
"""
MADE, SENT, READ = "step = Step(tally.note)", "pool.map(step.run, names)", "print(tally.count())"


@pytest.mark.parametrize(
    ("made", "sent", "read"),
    [
        (MADE, SENT, READ),
        (MADE, SENT, "print(tally.names)"),
        ("step = Plain(tally.note)", "pool.map(step.taken_by, names)", READ),
        ("steps = [Plain(tally.note)]", "[pool.map(step.taken_by, names) for step in steps]", READ),
        ("steps = [Step(tally.note)]", "[pool.map(step.run, names) for step in steps]", READ),
        ("", "pool.map(tally.note, names)", READ),
    ],
)
def test_a_method_of_another_object_that_an_object_keeps(made: str, sent: str, read: str) -> None:
    assert "LP207" in codes(KEPT.format(made=made, sent=sent, read=read))


@pytest.mark.parametrize(
    ("made", "sent", "read"),
    [
        (MADE, SENT, "print(names)"),
        (MADE, "list(map(step.run, names))", READ),
        ("step = Step(shout.note)", SENT, READ),
        (f"{MADE}; tally.note('first')", SENT, READ),
        (f"{MADE}; step.sink('first')", "pool.map(step.sink, names)", READ),
        (f"{MADE}; step.sink('first')", SENT, READ),
        ("step = Plain(tally.note); step.taken_by('a')", "pool.map(step.taken_by, names)", READ),
        # gap: the class calls what it keeps in a method, which nobody calls in the main process
        (MADE, "pool.map(step.sink, names)", READ),
        (MADE, "pool.map(print, names)", READ),
        ("step = Step(print)", "pool.map(len, names, callback=tally.note)", READ),
        (f"{MADE}; threading.Thread(target=step.run, args=('a',)).start()", "pool.map(print, names)", READ),
        (MADE, "tally = pool.apply(step.run, ('a',)) or Tally()", "print(Tally().count())"),
    ],
)
def test_a_kept_method_by_which_nothing_is_lost(made: str, sent: str, read: str) -> None:
    assert "LP207" not in codes(KEPT.format(made=made, sent=sent, read=read))


def test_a_method_of_a_list_that_an_object_keeps_is_not_told() -> None:
    # gap: an object that workers get calls the method of a list which it keeps
    assert codes(KEPT.format(made="step = Step(tally.names.append)", sent=SENT, read=READ)) == []


CENSUS = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import joblib
from joblib import Parallel, delayed, parallel_backend, parallel_config
from loky import get_reusable_executor


class Census:
    def __init__(self, streets, jobs=2):
        self.streets = streets
        self.jobs = jobs
        self.empty = []

    def visit(self, street):
        if not self.streets[street]:
            self.empty.append(street)
        return len(self.streets[street])

    def count(self):
        {count}

    def report(self):
        print(len(self.empty), "of", len(self.streets), "are empty")


def main():
    census = Census({{"high street": [1, 3, 5], "mews": []}})
    census.count()
    census.report()


if __name__ == "__main__":
    main()
"""
_EACH = "(delayed(self.visit)(street) for street in self.streets)"
_OF_POOL = "with multiprocessing.Pool(2) as pool:\n            return "
_OF_EXECUTOR = "with ProcessPoolExecutor(2) as executor:\n            return "


def _is_lost_of_census(count: str) -> bool:
    return "LP207" in [code for _, code in marks(CENSUS.format(count=count))]


@pytest.mark.parametrize(
    "count",
    [
        f"return sum(Parallel(n_jobs=2){_EACH})",
        f"return sum(Parallel(self.jobs, verbose=1){_EACH})",
        "return sum(joblib.Parallel(n_jobs=-1)(joblib.delayed(self.visit)(street) for street in self.streets))",
        f"return sum(Parallel(n_jobs=2, backend='loky'){_EACH})",
        f"return sum(Parallel(n_jobs=2, backend='multiprocessing'){_EACH})",
        f"return sum(Parallel(n_jobs=2, prefer='processes'){_EACH})",
        f"with Parallel(n_jobs=2) as parallel:\n            return sum(parallel{_EACH})",
        "tasks = [delayed(self.visit)(each) for each in self.streets]\n        return sum(Parallel(n_jobs=2)(tasks))",
        f"{_OF_EXECUTOR}sum(executor.map(self.visit, self.streets))",
        f"{_OF_EXECUTOR}[each.result() for each in [executor.submit(self.visit, each) for each in self.streets]]",
        f"{_OF_POOL}[each.get() for each in [pool.apply_async(self.visit, (each,)) for each in self.streets]]",
        f"{_OF_POOL}sum(pool.imap_unordered(self.visit, self.streets))",
    ],
)
def test_tasks_that_change_the_object_whose_method_they_are(count: str) -> None:
    assert _is_lost_of_census(count)


@pytest.mark.parametrize(
    "count",
    [
        f"return sum(Parallel(n_jobs=2, prefer='threads'){_EACH})",
        f"return sum(Parallel(n_jobs=2, require='sharedmem'){_EACH})",
        f"return sum(Parallel(n_jobs=2, backend='threading'){_EACH})",
        f"with parallel_backend('threading', n_jobs=2):\n            return sum(Parallel(){_EACH})",
        f"with parallel_config(backend='threading'):\n            return sum(Parallel(n_jobs=2){_EACH})",
        f"with Parallel(n_jobs=2, prefer='threads') as parallel:\n            return sum(parallel{_EACH})",
        "tasks = [delayed(self.visit)(street) for street in self.streets]\n"
        "        return sum(Parallel(n_jobs=2, require='sharedmem')(tasks))",
        f"return sum(Parallel(n_jobs=1){_EACH})",
        f"return sum(Parallel(){_EACH})",
        f"found = Parallel(n_jobs=2){_EACH}\n"
        "        self.empty = [street for street, houses in zip(self.streets, found) if not houses]",
        f"found = Parallel(n_jobs=2){_EACH}\n"
        "        self.empty.extend(street for street, houses in zip(self.streets, found) if not houses)",
        "with ThreadPoolExecutor(2) as executor:\n            return sum(executor.map(self.visit, self.streets))",
        "return sum(map(self.visit, self.streets))",
    ],
)
def test_tasks_whose_changes_main_sees_or_makes_itself(count: str) -> None:
    assert not _is_lost_of_census(count)


FITTED = """\
from joblib import Parallel, delayed


class Forest:
    def __init__(self):
        self.depths = []

    def grow(self, seed):
        self.depths.append(seed % 7)
        {back}

    def fit(self, seeds):
        return Parallel(n_jobs=4)(delayed(self.grow)(seed) for seed in seeds)


if __name__ == "__main__":
    forest = Forest()
    grown = forest.fit([1, 2, 3])
    print({read})
"""


@pytest.mark.parametrize(
    ("back", "read", "fires"),
    [
        ("return seed", "forest.depths", True),
        ("return self", "[each.depths for each in grown]", False),
        ("return self", "max(forest.depths, default=0), grown", False),
        ("return seed", "grown", False),
    ],
)
def test_a_task_that_sends_its_object_back(back: str, read: str, fires: bool) -> None:
    assert ("LP207" in [code for _, code in marks(FITTED.format(back=back, read=read))]) is fires


MEMBERS = """\
from concurrent.futures import ProcessPoolExecutor, wait
from multiprocessing import Pool

from joblib import Parallel, delayed


class Ridge:
    def __init__(self, alpha):
        self.alpha = alpha
        self.weight = None

    def fit(self, rows):
        self.weight = sum(rows) / self.alpha
        {back}

    def predict(self, row):
        return 0 if self.weight is None else row * self.weight

    def reset(self):
        self.weight = None


class Bagging:
    def __init__(self, jobs=2):
        self.members = [Ridge(alpha) for alpha in (1, 2)]
        self.named = {{"one": Ridge(1)}}
        self.jobs = jobs

    def fit(self, rows):
        {fits}
        return self

    {reads}


{task}


{main}
"""
_TASKS = {
    "fit_member": "def fit_member(member, rows):\n    member.fit(rows)",
    "fit_and_send": "def fit_and_send(member, rows):\n    member.fit(rows)\n    return member",
}
_IN_MAIN = 'if __name__ == "__main__":\n    print(Bagging().fit([1]).predict([2]))'
_OF_MEMBERS = "(delayed(each.fit)(rows) for each in self.members)"
_PREDICTS = "def predict(self, row):\n        return [each.predict(row) for each in self.members]"
_READS = "def weights(self):\n        return [each.weight for each in self.members]"


def _is_lost_of_members(fits: str, reads: str = _PREDICTS, back: str = "pass", main: str = "") -> bool:
    task = "\n\n\n".join(text for name, text in _TASKS.items() if name in fits)
    text = MEMBERS.format(fits=fits, reads=reads, back=back, main=main, task=task)
    return "LP207" in [code for _, code in marks(text)]


@pytest.mark.parametrize("main", ["", _IN_MAIN])
@pytest.mark.parametrize(
    ("fits", "reads", "back"),
    [
        (f"Parallel(n_jobs=2){_OF_MEMBERS}", _PREDICTS, "pass"),
        (f"Parallel(n_jobs=2){_OF_MEMBERS}", _READS, "pass"),
        (f"Parallel(n_jobs=self.jobs){_OF_MEMBERS}", _PREDICTS, "return self"),
        ("Parallel(n_jobs=2)(delayed(fit_member)(each, rows) for each in self.members)", _PREDICTS, "return self"),
        ("Parallel(n_jobs=2)(delayed(fit_and_send)(each, rows) for each in self.members)", _PREDICTS, "pass"),
        (
            "tasks = [delayed(each.fit)(rows) for each in self.named.values()]\n        Parallel(n_jobs=2)(tasks)",
            _PREDICTS.replace("self.members", "self.named.values()"),
            "pass",
        ),
        (
            "with ProcessPoolExecutor() as pool:\n            wait([pool.submit(e.fit, rows) for e in self.members])",
            _PREDICTS,
            "return self",
        ),
        (
            "with Pool(2) as pool:\n            pool.starmap(fit_member, [(each, rows) for each in self.members])",
            _PREDICTS,
            "pass",
        ),
    ],
)
def test_objects_kept_that_are_fitted_in_workers_and_used_by_another_method(
    fits: str, reads: str, back: str, main: str
) -> None:
    reads = reads.replace("weights", "predict").replace("(self)", "(self, row)") if main else reads
    assert _is_lost_of_members(fits, reads, back, main)


@pytest.mark.parametrize("main", ["", _IN_MAIN])
@pytest.mark.parametrize(
    ("fits", "reads", "back"),
    [
        pytest.param(f"self.members = Parallel(n_jobs=2){_OF_MEMBERS}", _PREDICTS, "return self", id="sent back"),
        pytest.param(
            "self.members = Parallel(n_jobs=2)(delayed(fit_and_send)(each, rows) for each in self.members)",
            _PREDICTS,
            "pass",
            id="sent back by a function",
        ),
        pytest.param(
            f"found = Parallel(n_jobs=2){_OF_MEMBERS}\n"
            "        for each, weight in zip(self.members, found):\n            each.weight = weight",
            _PREDICTS,
            "return self.weight",
            id="set in the main process",
        ),
        pytest.param(f"Parallel(n_jobs=2, prefer='threads'){_OF_MEMBERS}", _PREDICTS, "pass", id="threads"),
        pytest.param(f"Parallel(n_jobs=1){_OF_MEMBERS}", _PREDICTS, "pass", id="one job"),
        pytest.param("for each in self.members:\n            each.fit(rows)", _PREDICTS, "pass", id="a loop"),
        pytest.param(
            f"Parallel(n_jobs=2){_OF_MEMBERS}\n        for each in self.members:\n            each.fit(rows)",
            _PREDICTS,
            "pass",
            id="fitted in the main process too",
        ),
        pytest.param(
            f"Parallel(n_jobs=2){_OF_MEMBERS}",
            "def predict(self, row):\n        return [each.alpha for each in self.members]",
            "pass",
            id="another attribute",
        ),
        pytest.param(
            f"Parallel(n_jobs=2){_OF_MEMBERS}",
            "def predict(self, row):\n        return [each.reset() for each in self.members]",
            "pass",
            id="only set back",
        ),
        pytest.param(
            f"self.predict(1)\n        Parallel(n_jobs=2){_OF_MEMBERS}",
            "def predict(self, row):\n        return self.named['one'].predict(row)",
            "pass",
            id="other objects",
        ),
    ],
)
def test_objects_kept_whose_state_main_has(fits: str, reads: str, back: str, main: str) -> None:
    assert not _is_lost_of_members(fits, reads, back, main)


def test_lokys_own_executor() -> None:
    # gap: what runs in the workers of boundaries that pickle by cloudpickle (loky's executors, dask's clients) is not
    # followed.
    assert not _is_lost_of_census("return sum(get_reusable_executor(2).map(self.visit, self.streets))")


_AUDIT = """\
from multiprocessing import Pool

from joblib import Parallel, delayed


class Audit:
    def __init__(self):
        self.failures = {{}}

    def note(self, number):
        {notes}

    @property
    def count(self):
        return sum(map(len, self.failures.values()))

    @property
    def name(self):
        return "audit"


{task}


def main(numbers):
    audit = Audit()
    {run}
    {then}


if __name__ == "__main__":
    main(range(6))
"""
_NOTES = 'self.failures.setdefault("odd", []).append(number)'
_IN_JOBLIB = "Parallel(n_jobs=2)(delayed({}) for number in numbers)"
_READS = "print(len(audit.failures))"
_OF_OBJECT = """\
def render(number, audit):
    if number % 2:
        audit.note(number)
    return number"""
_OF_METHOD = """\
def render(number, on_error):
    if number % 2:
        on_error(number)
    return number"""
_KEPT = """\
class Renderer:
    def __init__(self, on_error=None):
        self.on_error = on_error

    def render(self, number):
        if number % 2 and self.on_error is not None:
            self.on_error(number)
        return number"""


def _lost(task: str, run: str, notes: str = _NOTES, then: str = _READS) -> list[int]:
    text = _AUDIT.format(task=task, run=run, notes=notes, then=then)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP207"]


_RUNS = [
    pytest.param(_OF_OBJECT, _IN_JOBLIB.format("render)(number, audit"), id="object"),
    pytest.param(_OF_METHOD, _IN_JOBLIB.format("render)(number, audit.note"), id="method"),
    pytest.param(_OF_METHOD, _IN_JOBLIB.format("render)(number, on_error=audit.note"), id="method by name"),
    pytest.param(
        _KEPT,
        "renderer = Renderer(audit.note); " + _IN_JOBLIB.format("renderer.render)(number"),
        id="kept",
    ),
    pytest.param(
        _KEPT,
        "renderer = Renderer(audit.note); Pool(2).map(renderer.render, numbers)",
        id="kept in a pool",
    ),
]


@pytest.mark.parametrize(("task", "run"), _RUNS)
def test_a_callback_that_changes_the_copy_of_its_object(task: str, run: str) -> None:
    assert _lost(task, run) == [11]
    assert _lost(task, run, "self.failures[number] = 'odd'") == [11]
    assert _lost(task, run, then="print(audit.count)") == [11]


@pytest.mark.parametrize(("task", "run"), _RUNS)
def test_a_callback_whose_object_is_shared_changed_in_main_or_not_read(task: str, run: str) -> None:
    assert _lost(task, run, then="print('done')") == []
    assert _lost(task, run, then="print(audit.name)") == []
    assert _lost(task, run, then="print(Audit().count)") == []
    assert _lost(task, run, then="print(run.count)") == []
    assert _lost(task, run, then=f"audit.note(7); {_READS}") == []
    assert _lost(task, run, "print(self.failures.setdefault('odd', []))") == []
    assert _lost(task, run, "print(self.failures.get(number))") == []
    if "Parallel" in run:
        assert _lost(task, run.replace("n_jobs=2", "n_jobs=2, prefer='threads'")) == []
        assert _lost(task, run.replace("n_jobs=2", "n_jobs=2, backend='threading'")) == []
        assert _lost(task, run.replace("n_jobs=2", "n_jobs=1")) == []


TYPED = """\
import multiprocessing


class Keyboard:
    def __init__(self):
        self.process = multiprocessing.Process(target=self.work)
        self.pressed{kind} = set()

    def work(self):
        self.pressed = set("ab")

    def run(self):
        self.process.start()
        self.process.join()
        {read}


if __name__ == "__main__":
    Keyboard().run()
"""


@pytest.mark.parametrize("kind", ["", ": set[str]", ": (set[str] | None)"])
def test_an_attribute_that_is_stored_behind_the_making_of_a_process_is_not_read_there(kind: str) -> None:
    assert "LP207" not in codes(TYPED.format(kind=kind, read="print('done')"))


BLOCKS = """\
import multiprocessing


class Node:
    def __init__(self):
        self.seen = 0

    def sources(self):
        if not hasattr(self, "above"):
            self.above = []
        return self.above

    def source(self):
        return self.sources()[0]

    def request(self):
        return self.provide()


class Filter(Node):
    def provide(self):
        return self.source().request()


class Blocks(Filter):
    def provide(self):
        self.chunks = [multiprocessing.Process(target=self.get_chunks) for _ in range(2)]
        for worker in self.chunks:
            worker.start()
        for worker in self.chunks:
            worker.join()
        print(self.seen)

    def note(self):
        self.seen += 1

    def get_chunks(self):
        self.{called}
"""


@pytest.mark.parametrize(("called", "fires"), [("source().request()", False), ("note()", True)])
def test_what_starts_the_workers_runs_in_the_main_process(called: str, fires: bool) -> None:
    assert ("LP207" in [code for _, code in marks(BLOCKS.format(called=called))]) is fires


METERED = """\
import functools
from dataclasses import dataclass
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool


class Meter:
    failed = 0

    def __init__(self, name):
        self.name = name
        self.calls = 0

    def line(self):
        return f"{{self.name}}: {{self.calls}} calls"


def metered(function):
    meter = Meter(function.__name__)

    @functools.wraps(function)
    def wrapper(*arguments):
        {change}
        return function(*arguments)

    wrapper.meter = meter
    wrapper.calls = 0
    return wrapper


@metered
def parse(text):
    return int(text)


@metered
def load(name):
    return [name]


def work(text):
    return {work}


def shown(meter):
    return meter.calls


def report():
    print("calls", parse.calls)


def main():
    texts = load("texts")
    with {pool}(2) as pool:
        found = pool.map(work, texts)
    {then}


if __name__ == "__main__":
    main()
"""


def _metered(change: str, then: str, work: str = "parse(text) * 2", pool: str = "Pool") -> list[int]:
    text = METERED.format(change=change, then=then, work=work, pool=pool)
    return [row for row, code in marks(text) if code == "LP207"]


@pytest.mark.parametrize(
    ("change", "then"),
    [
        ("meter.calls += 1", "print(parse.meter.calls)"),
        ("meter.calls += 1", "print(parse.meter.line())"),
        ("meter.calls += 1", "print(shown(parse.meter))"),
        ("meter.calls += 1", "meter = parse.meter; print(meter.calls)"),
        ("meter.failed += 1", "print(parse.meter.failed)"),
        ("wrapper.calls += 1", "print(parse.calls)"),
        ("wrapper.calls = wrapper.calls + 1", "print(parse.calls)"),
        ("wrapper.calls += 1", "report()"),
    ],
)
def test_what_a_decorator_counts_for_a_function(change: str, then: str) -> None:
    assert _metered(change, then) == [23]


@pytest.mark.parametrize(
    ("change", "then", "work", "pool"),
    [
        ("meter.calls += 1", "print(load.meter.calls)", "parse(text)", "Pool"),
        ("meter.calls += 1", "print(shown(load.meter))", "parse(text)", "Pool"),
        ("wrapper.calls += 1", "print(load.calls)", "parse(text)", "Pool"),
        ("meter.calls += 1", "print(found)", "parse(text), parse.meter.calls", "Pool"),
        ("meter.calls += 1", "print(found)", "parse(text)", "Pool"),
        ("meter.calls += 1", "parse('4'); print(parse.meter.calls)", "parse(text)", "Pool"),
        ("wrapper.calls += 1", "parse('4'); print(parse.calls)", "parse(text)", "Pool"),
        ("meter.calls += 1", "parse.meter.calls += len(found); print(parse.meter.calls)", "parse(text)", "Pool"),
        ("meter.calls += 1", "print(parse.meter.calls)", "parse(text)", "ThreadPool"),
        ("wrapper.calls += 1", "print(parse.calls)", "parse(text)", "ThreadPool"),
        ("meter.calls += 1", "print(parse.meter.calls)", "int(text)", "Pool"),
        ("meter.calls += 1", "print(parse.meter.name)", "parse(text)", "Pool"),
        ("print(meter.calls)", "print(parse.meter.calls)", "parse(text)", "Pool"),
    ],
)
def test_what_a_decorator_counts_elsewhere(change: str, then: str, work: str, pool: str) -> None:
    assert _metered(change, then, work, pool) == []


OWN = """\
from multiprocessing import Pool


def work(number):
    work.{attribute} {change}
    return number


work.calls = 0
work.seen = []


def other(number):
    return number


other.calls = 0

if __name__ == "__main__":
    with Pool(2) as pool:
        pool.map(work, [1, 2])
    print({read})
"""


@pytest.mark.parametrize(
    ("attribute", "change", "read", "fires"),
    [
        ("calls", "+= 1", "work.calls", True),
        ("seen", ".append(number)", "len(work.seen)", True),
        ("calls", "+= 1", "other.calls", False),
        ("calls", "+= 1", "work.__name__", False),
        ("calls", "+= 1", "work(3), work.calls", False),
        ("calls", "= 0", "work.calls", False),
        ("calls", ".bit_length()", "work.calls", False),
    ],
)
def test_what_a_function_counts_on_itself(attribute: str, change: str, read: str, fires: bool) -> None:
    change = change if change.startswith(".") else f" {change}"
    text = OWN.format(attribute=attribute, change=change, read=read).replace(" .", ".").replace("  ", "  ")
    assert ((5, "LP207") in marks(text)) == fires


OF_CLASS = """\
from multiprocessing import Pool
from multiprocessing.pool import ThreadPool


class Stats:
    total = 0
    last = None
    seen = []
    limit = 3

    def __init__(self):
        {made}

    def show(self):
        print(self.total)

    @classmethod
    def report(cls):
        print(cls.total)
{more}

class Other:
    total = 0


def work(number):
    {change}
    return number


def main(numbers):
    with {pool}(2) as pool:
        found = pool.map(work, numbers)
    {read}


if __name__ == "__main__":
    main([1, 2])
"""

_CHANGING = {
    "Stats.add(": "\n    @classmethod\n    def add(cls, number):\n        cls.total += number\n",
    "Stats().put(": "\n    def put(self, number):\n        self.__class__.total += number\n",
}


def _of_class(
    change: str = "Stats.total += number", read: str = "print(Stats.total)", made: str = "pass", pool: str = "Pool"
) -> list[str]:
    more = next((method for call, method in _CHANGING.items() if call in change), "")
    text = OF_CLASS.format(change=change, read=read, made=made, pool=pool, more=more)
    return [each.message for each in lint(text).diagnostics if each.code == "LP207"]


@pytest.mark.parametrize(
    ("change", "read"),
    [
        ("Stats.total += number", "print(Stats.total)"),
        ("Stats.total = Stats.total + number", "print(Stats.total)"),
        ("Stats.add(number)", "print(Stats.total)"),
        ("Stats.add(number)", "Stats.report()"),
        ("Stats().put(number)", "print(Stats.total)"),
        ("Stats.total += number", "print(Stats().total)"),
        ("Stats.last = number", "print(Stats.last)"),
        ("Stats.seen.append(number)", "print(len(Stats.seen))"),
        ("Stats.total += number", "Stats().show()"),
    ],
)
def test_what_a_worker_changes_on_a_class(change: str, read: str) -> None:
    (message,) = _of_class(change, read)
    assert "of its copy of `Stats`" in message


@pytest.mark.parametrize(
    ("change", "read", "made", "pool"),
    [
        ("Stats.total += number", "print(Other.total)", "pass", "Pool"),
        ("Stats.total += number", "print(found)", "pass", "Pool"),
        ("Stats.total += number", "Stats.total = 0; print(Stats.total)", "pass", "Pool"),
        ("Stats.total += number", "Stats.total += sum(found); print(Stats.total)", "pass", "Pool"),
        ("Stats.total += number", "work(3); print(Stats.total)", "pass", "Pool"),
        ("Stats.add(number)", "Stats.add(3); print(Stats.total)", "pass", "Pool"),
        ("Stats.total += number", "print(Stats.total)", "pass", "ThreadPool"),
        ("Stats.total += number", "print(Stats.total)", "Stats.total += 1", "Pool"),
        ("Stats()", "print(Stats.total)", "Stats.total += 1", "Pool"),  # gap: what main makes is not counted
        ("Stats.last = number; print(Stats.last)", "print(Stats.last)", "pass", "Pool"),  # for the worker itself
        ("print(Stats.total)", "print(Stats.total)", "pass", "Pool"),
        ("Stats.limit.real", "print(Stats.limit)", "pass", "Pool"),
    ],
)
def test_what_a_worker_may_change_on_a_class(change: str, read: str, made: str, pool: str) -> None:
    assert _of_class(change, read, made, pool) == []


CALLED = """\
from multiprocessing import Pool, Process


class Job:
    def __init__(self, number):
        self.number = number
        self.results = []

    def __call__(self):
        self.results.append(self.number)
        return self.number


def run(job):
    return {run}


def run_all(jobs):
    for job in jobs:
        job()


def deeper(job):
    return run(job)


def main(numbers):
    jobs = [Job(number) for number in numbers]
    with Pool(2) as pool:
        {start}
    print({read})


if __name__ == "__main__":
    main([1, 2])
"""


@pytest.mark.parametrize(
    ("start", "run", "read", "fires"),
    [
        ("pool.map(run, jobs)", "job()", "jobs[0].results", True),
        ("pool.apply_async(run, (jobs[0],)).get()", "job()", "jobs[0].results", True),
        ("pool.map(deeper, jobs)", "job()", "jobs[0].results", True),
        ("Process(target=run_all, args=(jobs,)).start()", "job()", "jobs[0].results", True),
        ("Process(target=jobs[0]).start()", "job()", "jobs[0].results", True),
        ("pool.map(run, jobs)", "job.number", "jobs[0].results", False),
        ("pool.map(run, jobs)", "job()", "jobs[0].number", False),
        ("pool.map(run, numbers)", "job", "jobs[0].results", False),
    ],
)
def test_an_object_that_a_function_of_workers_calls(start: str, run: str, read: str, fires: bool) -> None:
    text = CALLED.format(start=start, run=run, read=read)
    assert ([code for _, code in marks(text)] == ["LP207"]) is fires


TALLY = """\
from functools import partial
from multiprocessing import Pool


class Tally:
    def __init__(self, lengths):
        self.counts = {{}}
        for length in range(lengths):
            self.counts[length] = [0]

    def record(self, length):
        self.counts[length] = [length]

    def merge(self, other):
        for length in other.counts:
            self.counts[length][0] += other.counts[length][0]


def work(lines, tally=None):
    {first}
    {then}


def main(groups, jobs):
    whole = Tally(9)
    if jobs <= 1:
        results = map(work, groups)
    else:
        results = Pool(jobs).imap_unordered({given}, groups)
    for result in results:
        {last}
    return whole


if __name__ == "__main__":
    print(main([["a"], ["bb", "ccc"]], 2).counts)
"""
_IN_LIST = "result = [tally]\n    if lines:\n        result += [Tally(3)]\n    return result"


@pytest.mark.parametrize(
    ("first", "then", "given", "last", "fires"),
    [
        ("tally = Tally(9)", _IN_LIST, "work", "whole.merge(result[0])", False),
        ("tally = Tally(9)", "return {'tally': tally}", "work", "whole.merge(result['tally'])", False),
        ("tally = Tally(9)", "return tally", "work", "whole.merge(result)", False),
        ("tally.record(2)", "return lines", "partial(work, tally=whole)", "print(whole.counts)", True),
        ("tally.record(2)", _IN_LIST, "partial(work, tally=whole)", "whole.merge(result[0])", False),
    ],
)
def test_an_object_that_is_made_in_the_worker_and_sent_back(
    first: str, then: str, given: str, last: str, fires: bool
) -> None:
    code = TALLY.format(first=first, then=then, given=given, last=last)
    assert ("LP207" in [code for _, code in marks(code)]) is fires
