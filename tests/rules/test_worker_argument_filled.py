"""LP221: worker-argument-filled."""

from __future__ import annotations

import pytest

from lintpickle.rules.authoring import PICKLED_ON_START
from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP221"


GUARD = "if __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize(
    ("made", "fills", "started", "reads"),
    [
        ("[]", "o.append(n)", "mp.Process(target=g, args=(1, o)).start()", "print(o)"),
        ("{}", "o[n] = 1", "mp.Process(target=g, args=(1, o)).start()", "return o"),
        ("dict()", "o.update(a=n)", "mp.Process(target=g, args=(1, o)).start()", "return sum(o.values())"),
        ("set()", "o.add(n)", "mp.Pool(2).apply_async(g, (1, o))", "return len(o)"),
        ("[]", "o.append(n)", "ProcessPoolExecutor(2).submit(g, 1, o)", "return o"),
        ("Counter()", "o[n] += 1", "mp.Process(target=g, args=(1, o)).start()", "return o.total()"),
        ("np.zeros(3)", "o[n] += 1", "mp.Process(target=g, args=(1, o)).start()", "return o.sum()"),
        ("np.zeros(3)", "o[n] = 1", "mp.Process(target=g, args=(1, o)).start()", "return o.sum()"),
    ],
)
def test_what_is_to_be_filled(made: str, fills: str, started: str, reads: str) -> None:
    body = (
        "import numpy as np\nfrom collections import Counter\n"
        f"def g(n, o):\n    {fills}\ndef main():\n    o = {made}\n    p = {started}\n    {reads}\n"
    )
    assert codes(body + GUARD) == ["LP221"]


@pytest.mark.parametrize(
    ("made", "fills", "started", "reads"),
    [
        pytest.param("[]", "o.append(n)", "mp.Process(target=g, args=(1, o))", "pass", id="never read"),
        pytest.param("[1]", "o.append(n)", "mp.Process(target=g, args=(1, o))", "return o", id="not empty"),
        pytest.param("[]", "print(o)", "mp.Process(target=g, args=(1, o))", "return o", id="only read"),
        pytest.param("[]", "o = [n]\n    o.append(n)", "mp.Process(target=g, args=(1, o))", "return o", id="its own"),
        pytest.param("[]", "o.append(n)\n    return o", "mp.Pool(2).apply(g, (1, o))", "return o", id="given back"),
        pytest.param("mp.Manager().list()", "o.append(n)", "mp.Process(target=g, args=(1, o))", "return o", id="list"),
        pytest.param("mp.Array('d', 3)", "o[n] = 1", "mp.Process(target=g, args=(1, o))", "return o[0]", id="shared"),
        pytest.param("[]", "o.append(n)", "ThreadPoolExecutor(2).submit(g, 1, o)", "return o", id="threads"),
    ],
)
def test_nothing_is_lost(made: str, fills: str, started: str, reads: str) -> None:
    body = f"def g(n, o):\n    {fills}\ndef main():\n    o = {made}\n    p = {started}\n    {reads}\n"
    assert codes(body + GUARD) == []


VIEWS = """\
import numpy as np
from multiprocessing.shared_memory import SharedMemory
def g(n, o):
    {fills}
def main():
    block = SharedMemory(create=True, size=24)
    numbers = mp.Array("d", 3)
    o = {made}
    o[:] = 0
    {started}
    print(o[1])
"""
PROCESS = "mp.Process(target=g, args=(1, o)).start()"
POOL = "mp.Pool(2).apply(g, (1, o))"


@pytest.mark.parametrize("fills", ["o[n] = 1", "o[n] += 1", "o[n, 1:] = 0"])
@pytest.mark.parametrize(
    ("made", "started"),
    [
        ("np.ndarray(3, dtype='d', buffer=block.buf)", PROCESS),
        ("np.ndarray(3, 'd', block.buf)", POOL),
        ("np.frombuffer(numbers.get_obj())", PROCESS),
        ("np.frombuffer(mp.RawArray('d', 3))", PROCESS),
        ("np.frombuffer(mp.RawArray('d', 4)).reshape(2, 2)", PROCESS),
        ("np.ndarray(4, 'd', block.buf).reshape(2, 2).T", POOL),
        ("np.ctypeslib.as_array(numbers.get_obj())", PROCESS),
    ],
)
def test_arrays_that_show_shared_memory(made: str, started: str, fills: str) -> None:
    assert codes(VIEWS.format(made=made, started=started, fills=fills) + GUARD) == ["LP221"]


@pytest.mark.parametrize(
    ("made", "started", "fills"),
    [
        pytest.param("np.ndarray(3, 'd', block.buf)", PROCESS, "print(o[n])", id="only read"),
        pytest.param("np.frombuffer(bytearray(24))", PROCESS, "o[n] = 1", id="memory of its own"),
        pytest.param("np.frombuffer(bytearray(24)).reshape(3, 1)", PROCESS, "o[n] = 1", id="the same in rows"),
        pytest.param("np.frombuffer(mp.RawArray('d', 3)).copy()", PROCESS, "o[n] = 1", id="a copy"),
        pytest.param("np.frombuffer(mp.RawArray('d', 4)).reshape(2, 2)", PROCESS, "print(o[n])", id="rows only read"),
        pytest.param("np.ndarray(3, 'd', mapped())", PROCESS, "o[n] = 1", id="memory that is not known"),
        pytest.param("np.array([1, 2, 3])", PROCESS, "o[n] = 1", id="with values of its own"),
        pytest.param(
            "np.ndarray(3, 'd', block.buf)",
            "mp.Process(target=g, args=(1, block.name)).start()",
            "np.ndarray(3, 'd', SharedMemory(name=o).buf)[n] = 1",
            id="attached by name",
        ),
        pytest.param(
            "np.frombuffer(numbers.get_obj())",
            "mp.Process(target=g, args=(1, numbers)).start()",
            "np.frombuffer(o.get_obj())[n] = 1",
            id="the array of multiprocessing itself",
        ),
    ],
)
def test_shared_memory_that_arrives(made: str, started: str, fills: str) -> None:
    assert codes(VIEWS.format(made=made, started=started, fills=fills) + GUARD) == []


KEPT = """\
import numpy as np
class Grid:
    def __init__(self, n):
        self.raw = mp.RawArray("d", n)
        self.grid = {made}
    def _run(self, i):
        {fills}
    def run(self):
        processes = [mp.Process(target=self._run, args=(i,)) for i in range(3)]
        for p in processes:
            p.start()
        for p in processes:
            p.join()
        {reads}
    {more}
def main():
    Grid(4).run()
"""
OF_RAW = "np.frombuffer(self.raw)"


@pytest.mark.parametrize("made", [OF_RAW, f"{OF_RAW}.reshape(2, 2)"])
@pytest.mark.parametrize("fills", ["self.grid[i] = 1.0", "self.grid[i] += 1.0"])
def test_arrays_that_show_shared_memory_and_an_object_keeps(made: str, fills: str) -> None:
    assert codes(KEPT.format(made=made, fills=fills, reads="print(self.grid.sum())", more="") + GUARD) == ["LP221"]


@pytest.mark.parametrize(
    ("made", "fills", "reads", "more"),
    [
        pytest.param(OF_RAW, "print(self.grid[i])", "print(self.grid)", "", id="only read"),
        pytest.param(OF_RAW, "self.raw[i] = 1.0", "print(self.grid)", "", id="the memory itself"),
        pytest.param(OF_RAW, "self.grid[i] = 1.0", "pass", "", id="never read"),
        pytest.param(
            OF_RAW, f"self.grid = {OF_RAW}\n        self.grid[i] = 1.0", "print(self.grid)", "", id="made in the worker"
        ),
        pytest.param(
            OF_RAW,
            "self.grid[i] = 1.0",
            "print(self.grid)",
            "def __getstate__(self):\n        return {'raw': self.raw}\n"
            "    def __setstate__(self, state):\n        self.raw = state['raw']\n"
            "        self.grid = np.frombuffer(self.raw)",
            id="made as the object arrives",
        ),
    ],
)
def test_arrays_that_an_object_keeps_and_nothing_is_lost(made: str, fills: str, reads: str, more: str) -> None:
    assert codes(KEPT.format(made=made, fills=fills, reads=reads, more=more) + GUARD) == []


PASSED_ON = """\
import numpy as np
from contextlib import contextmanager
from multiprocessing.shared_memory import SharedMemory

@contextmanager
def shared(size):
    block = SharedMemory(create=True, size=size)
    try:
        yield np.ndarray(3, "d", buffer=block.buf)
    finally:
        block.unlink()

@contextmanager
def private(size):
    yield np.ones(size)

def made(size):
    block = SharedMemory(create=True, size=size)
    return np.ndarray(3, "d", buffer=block.buf)

def g(n, o):
    o[n] = 1

def start(o):
    p = mp.Process(target=g, args=(1, o))
    p.start()
    p.join()

def main():
    {body}
"""


@pytest.mark.parametrize(
    "body",
    [
        "with shared(24) as grid:\n        mp.Process(target=g, args=(1, grid)).start()\n        print(grid.sum())",
        "grid = made(24)\n    mp.Process(target=g, args=(1, grid)).start()\n    print(grid.sum())",
        "with shared(24) as grid:\n        start(grid)\n        print(grid.sum())",
        "grid = made(24)\n    start(o=grid)\n    print(grid.sum())",
        "found = {}\n    start(found)\n    print(found)",
        "found = np.zeros(3)\n    start(found)\n    print(found)",
    ],
)
def test_what_is_made_and_passed_on_by_functions(body: str) -> None:
    assert codes(PASSED_ON.replace("{body}", body) + GUARD) == ["LP221"]


@pytest.mark.parametrize(
    "body",
    [
        # Nobody reads it afterwards.
        "with shared(24) as grid:\n        print(grid.sum())\n        start(grid)",
        "grid = made(24)\n    start(grid)\n    del grid",
        # It has something already, which workers may change for themselves.
        "with private(3) as grid:\n        start(grid)\n        print(grid.sum())",
        # Another one is read.
        "with shared(24) as grid, shared(24) as other:\n        start(grid)\n        print(other.sum())",
    ],
)
def test_what_nobody_reads_is_passed_on(body: str) -> None:
    assert codes(PASSED_ON.replace("{body}", body) + GUARD) == []


MAPPED = """\
import numpy as np
import tempfile
from numpy.lib.format import open_memmap

def made(path):
    grid = np.memmap(path, dtype="f4", mode="w+", shape=(4, 4))
    grid[:] = 0
    return grid

def draw(grid, n):
    grid[n] = n

def g(n, o):
    {fills}

def main():
    path = "grid.dat"
    o = {made}
    p = {started}
    p.start()
    p.join()
    {reads}
"""


@pytest.mark.parametrize("fills", ["o[n] = 1", "o[n, 1:] += n\n    o.flush()", "o.fill(n)", "draw(o, n)"])
@pytest.mark.parametrize(
    "made",
    [
        "made(path)",
        "np.memmap(path, 'f4', 'r+', shape=(4, 4))",
        "np.memmap(path, dtype='f4', shape=(4, 4))",
        "np.load(path, mmap_mode='r+')",
        "open_memmap(path, mode='w+', shape=(4, 4))",
    ],
)
def test_a_mapped_file_that_is_written_to(made: str, fills: str) -> None:
    body = MAPPED.format(made=made, fills=fills, started=PROCESS.removesuffix(".start()"), reads="{reads}")
    for reads in ("print(o.max())", "return np.fromfile(path)"):
        found = lint(f"import multiprocessing as mp\n{body.format(reads=reads)}{GUARD}").diagnostics
        assert [(each.code, each.start_methods) for each in found] == [("LP221", PICKLED_ON_START)]


@pytest.mark.parametrize(
    ("made", "fills", "given"),
    [
        pytest.param("np.memmap(path, 'f4', mode='r')", "o[n] = 1", "o", id="read only"),
        pytest.param("np.memmap(path, 'f4', 'c')", "o[n] = 1", "o", id="for itself"),
        pytest.param("np.memmap(path, 'f4', sys.argv[1])", "o[n] = 1", "o", id="who knows how"),
        pytest.param("np.load(path)", "o[n] = 1", "o", id="not mapped"),
        pytest.param("made(path)", "print(o[n])", "o", id="only read in the worker"),
        pytest.param("made(path)", "o = np.memmap(o)\n    o[n] = 1", "path", id="mapped in the worker"),
        pytest.param("made(path)", "o = o.copy()\n    o[n] = 1", "o", id="a copy of its own"),
    ],
)
def test_mapped_files_that_lose_nothing(made: str, fills: str, given: str) -> None:
    started = f"mp.Process(target=g, args=(1, {given}))"
    body = MAPPED.format(made=made, fills=fills, started=started, reads="return np.fromfile(path)")
    assert codes(body + GUARD) == []


METHODS = """
import multiprocessing as mp
from collections import deque
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.pool import ThreadPool

@dataclass
class Report:
    issues: list = field(default_factory=list)
    lines: int = 0

    def by_kind(self):
        return sorted(self.issues)

class Log:
    def append(self, row):
        with open("log", "a") as file:
            file.write(row)

def check(path, emit=print):
    for line in open(path):
        emit(line)

def checked(path, emit):
    check(path, emit)

def counted(path, emit):
    return len(path), emit

def run(paths, report):
    with mp.Pool(2) as pool:
        {run}
    return report

def main(paths):
    out, log, seen = {made}, Log(), ["first"]
    report = Report()
    {body}

if __name__ == "__main__":
    main([])
"""


def _methods(body: str, run: str = "pass", made: str = "[]") -> list[str]:
    body = body.replace("\n", "\n    ")
    found = codes(METHODS.format(body=body, run=run, made=made))
    return [each for each in found if each == "LP221"]


SHOW = "\nprint(len(out))"
POOL_OF_TWO = "with mp.Pool(2) as pool:\n    "


@pytest.mark.parametrize(
    ("body", "made"),
    [
        (f"{POOL_OF_TWO}[pool.apply_async(check, (path, out.append)).get() for path in paths]{SHOW}", "[]"),
        (f"{POOL_OF_TWO}pool.starmap(check, [(path, out.append) for path in paths]){SHOW}", "[]"),
        (f"{POOL_OF_TWO}pool.starmap(checked, [('a', out.append), ('b', out.append)]){SHOW}", "[]"),
        (f"{POOL_OF_TWO}pool.map(partial(check, emit=out.add), paths){SHOW}", "set()"),
        (f"{POOL_OF_TWO}pool.apply(check, ('a',), {{'emit': out.append}}){SHOW}", "deque()"),
        (f"with ProcessPoolExecutor(2) as pool:\n    pool.submit(checked, 'a', out.append){SHOW}", "[]"),
        (f"with ProcessPoolExecutor(2) as pool:\n    pool.submit(check, 'a', emit=out.append){SHOW}", "[]"),
        (f"process = mp.Process(target=check, args=('a', out.append))\nprocess.start()\nprocess.join(){SHOW}", "[]"),
    ],
)
def test_a_method_of_what_is_to_be_filled(body: str, made: str) -> None:
    assert _methods(body, made=made) == ["LP221"]


def test_what_an_object_holds_is_read_by_others() -> None:
    run = "pool.starmap(check, [(path, report.issues.append) for path in paths])"
    assert _methods("print(len(run(paths, report).issues))", run) == ["LP221"]
    inner = f"{POOL_OF_TWO}pool.starmap(check, [(path, report.issues.append) for path in paths])\n"
    assert _methods(f"{inner}print(report.issues)") == ["LP221"]


@pytest.mark.parametrize(
    ("body", "made"),
    [
        pytest.param(
            f"{POOL_OF_TWO}pool.apply_async(check, ('a',), callback=out.append).get(){SHOW}",
            "[]",
            id="called in the main process",
        ),
        pytest.param(f"{POOL_OF_TWO}pool.starmap(check, [('a', out.append)]){SHOW}", "mp.Manager().list()", id="proxy"),
        pytest.param(f"{POOL_OF_TWO}pool.starmap(check, [('a', out.append)])", "[]", id="nobody reads it"),
        pytest.param(f"{POOL_OF_TWO}pool.starmap(check, [('a', out.append)])\nout = [1]{SHOW}", "[]", id="bound anew"),
        pytest.param(f"{POOL_OF_TWO}pool.starmap(counted, [('a', out.append)]){SHOW}", "[]", id="not called"),
        pytest.param(f"{POOL_OF_TWO}pool.starmap(check, [('a', log.append)])\nprint(log)", "[]", id="of the program"),
        # gap: what workers add to a container that holds something is lost too
        pytest.param(
            f"{POOL_OF_TWO}pool.starmap(check, [('a', seen.append)])\nprint(seen)", "[]", id="holds something"
        ),
        pytest.param(f"{POOL_OF_TWO}pool.starmap(check, [('a', out.count)]){SHOW}", "[]", id="only asks"),
        pytest.param(f"ThreadPool(2).starmap(check, [('a', out.append)]){SHOW}", "[]", id="threads"),
        pytest.param(f"ThreadPoolExecutor(2).submit(check, 'a', out.append).result(){SHOW}", "[]", id="a thread"),
        pytest.param(
            f"{POOL_OF_TWO}pool.starmap(check, [('a', report.issues.append)])\nprint(report.lines)",
            "[]",
            id="another attribute is read",
        ),
        pytest.param(f"list(map(partial(check, emit=out.append), paths)){SHOW}", "[]", id="no worker"),
    ],
)
def test_a_method_by_which_nothing_is_lost(body: str, made: str) -> None:
    assert _methods(body, made=made) == []


TASKS = """
import multiprocessing as mp
from collections import deque
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.pool import ThreadPool

class Index:
    def __init__(self):
        self.titles = []
        self.seen = {{}}

    def sink(self):
        return self.titles.append

    def sink_of(self, kind):
        if kind == "seen":
            return self.seen.update
        return self.titles.append

class Shelf:
    def __init__(self):
        self.books = []

    def run(self, rows):
        with mp.Pool(2) as pool:
            pool.map(self.books.append, rows)
        {after}

class Log:
    def append(self, row):
        print(row)

class Stage:
    def __init__(self, handler):
        self.handler = handler

def handled(handler, rows):
    with mp.Pool(2) as pool:
        pool.map(handler, rows)

def staged(stages, rows):
    with mp.Pool(2) as pool:
        for stage in stages:
            pool.map(stage.handler, rows)

def planned(index):
    return [Stage(index.sink())]

def main(rows):
    out, log, index, known = {made}, Log(), Index(), {{"a": 1}}
    {body}

if __name__ == "__main__":
    main([])
"""


def _tasks(body: str, made: str = "[]", after: str = "pass") -> list[str]:
    found = codes(TASKS.format(body=body.replace("\n", "\n    "), made=made, after=after))
    return [each for each in found if each == "LP221"]


@pytest.mark.parametrize(
    ("body", "made"),
    [
        (f"{POOL_OF_TWO}pool.map(out.append, rows){SHOW}", "[]"),
        (f"{POOL_OF_TWO}pool.map(out.extend, [rows]){SHOW}", "deque()"),
        (f"{POOL_OF_TWO}list(pool.imap_unordered(out.add, rows)){SHOW}", "set()"),
        (f"{POOL_OF_TWO}[pool.apply_async(out.add, (row,)) for row in rows]{SHOW}", "set()"),
        (f"with ProcessPoolExecutor(2) as pool:\n    pool.submit(out.update, rows){SHOW}", "{}"),
        (f"process = mp.Process(target=out.append, args=('a',))\nprocess.start()\nprocess.join(){SHOW}", "[]"),
        (f"add = out.append\n{POOL_OF_TWO}pool.map(add, rows){SHOW}", "[]"),
        (f"handled(out.append, rows){SHOW}", "[]"),
        (f"staged([Stage(out.append)], rows){SHOW}", "[]"),
        (f"stage = Stage(out.append)\n{POOL_OF_TWO}pool.map(stage.handler, rows){SHOW}", "[]"),
        ("staged([Stage(index.sink())], rows)\nprint(index.titles)", "[]"),
        ("staged(planned(index), rows)\nprint(index.titles)", "[]"),
        (f"staged([Stage(print), Stage(out.append)], rows){SHOW}", "[]"),
        (f"{POOL_OF_TWO}pool.map(index.sink(), rows)\nprint(index.titles)", "[]"),
        (f"{POOL_OF_TWO}pool.map(index.sink_of(rows[0]), rows)\nprint(index.titles, index.seen)", "[]"),
    ],
)
def test_a_method_that_is_the_task(body: str, made: str) -> None:
    assert _tasks(body, made) == ["LP221"]


def test_a_method_of_its_own_list_that_is_the_task() -> None:
    assert _tasks("print(Shelf().run(rows))", after="return len(self.books)") == ["LP221"]
    assert _tasks("print(Shelf().run(rows))", after="return len(rows)") == []


@pytest.mark.parametrize(
    ("body", "made"),
    [
        pytest.param(f"{POOL_OF_TWO}pool.map(out.append, rows)", "[]", id="nobody reads it"),
        pytest.param(f"{POOL_OF_TWO}pool.map(out.append, rows){SHOW}", "mp.Manager().list()", id="a proxy"),
        pytest.param(f"{POOL_OF_TWO}pool.map(out.count, rows){SHOW}", "[]", id="only asks"),
        pytest.param(f"{POOL_OF_TWO}print(pool.map(known.get, rows), known)", "[]", id="looks up"),
        pytest.param(f"{POOL_OF_TWO}pool.map(log.append, rows)\nprint(log)", "[]", id="of the program"),
        pytest.param(f"ThreadPool(2).map(out.append, rows){SHOW}", "[]", id="threads"),
        pytest.param(f"ThreadPoolExecutor(2).submit(out.append, 1).result(){SHOW}", "[]", id="a thread"),
        pytest.param(f"list(map(out.append, rows)){SHOW}", "[]", id="no worker"),
        pytest.param(
            f"{POOL_OF_TWO}[pool.apply_async(len, (row,), callback=out.append) for row in rows]{SHOW}",
            "[]",
            id="a callback, which the main process calls",
        ),
        pytest.param(f"with mp.Pool(2, out.append, (1,)) as pool:\n    pool.map(len, rows){SHOW}", "[]", id="starts"),
        pytest.param(f"{POOL_OF_TWO}pool.map(out.append, rows)\nout = [1]{SHOW}", "[]", id="bound anew"),
        pytest.param(f"{POOL_OF_TWO}pool.map(index.sink(), rows)\nprint(index.seen)", "[]", id="another is read"),
        pytest.param("handled(out.append, rows)\nprint(rows)", "[]", id="the caller does not read it"),
        # gap: which of them it is, the argument says
        pytest.param(
            f"{POOL_OF_TWO}pool.map(index.sink_of('titles'), rows)\nprint(index.titles)", "[]", id="one of two"
        ),
        pytest.param("staged([Stage(out.append)], rows)\nprint(rows)", "[]", id="kept, and not read"),
        pytest.param(f"staged([Stage(print)], rows){SHOW}", "[]", id="another one is kept"),
        pytest.param(f"staged([Stage(log.append)], rows){SHOW}", "[]", id="kept, and of the program"),
        pytest.param(f"staged([Stage(out.append)], rows){SHOW}", "mp.Manager().list()", id="kept, and of a proxy"),
        pytest.param("staged(planned(index), rows)\nprint(rows)", "[]", id="kept by a helper, and not read"),
        pytest.param(f"[stage.handler(1) for stage in [Stage(out.append)]]{SHOW}", "[]", id="kept, no worker"),
        # gap: what workers add to a container that holds something is lost too
        pytest.param(f"{POOL_OF_TWO}pool.map(known.update, [rows])\nprint(known)", "[]", id="holds something"),
    ],
)
def test_a_task_by_which_nothing_is_lost(body: str, made: str) -> None:
    assert _tasks(body, made) == []


_OF_JOBLIB = """\
from multiprocessing import Manager

import numpy as np
from joblib import Parallel, delayed


def render(number, failures):
    if number % 2:
        {fills}
    return number


def main(shared):
    failures = {made}
    images = Parallel({how})(delayed(render)(number, {given}) for number in range(6))
    {then}


if __name__ == "__main__":
    main([])
"""


def _of_joblib(
    fills: str = "failures.append(number)",
    made: str = "[]",
    how: str = "n_jobs=2",
    given: str = "failures",
    then: str = "print(images, failures)",
) -> list[int]:
    text = _OF_JOBLIB.format(fills=fills, made=made, how=how, given=given, then=then)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP221"]


@pytest.mark.parametrize(
    "program",
    [
        {},
        {"how": "n_jobs=2, backend='loky'"},
        {"how": "n_jobs=2, backend='multiprocessing'"},
        {"made": "{}", "fills": "failures[number] = 'odd'"},
        {"made": "set()", "fills": "failures.add(number)", "then": "return len(failures)"},
        {"given": "failures.append", "fills": "failures(number)"},
    ],
)
def test_what_tasks_of_joblib_fill(program: dict[str, str]) -> None:
    assert _of_joblib(**program) == [9]


@pytest.mark.parametrize(
    "program",
    [
        {"how": "n_jobs=2, backend='threading'"},
        {"how": "n_jobs=2, prefer='threads'"},
        {"how": "n_jobs=2, require='sharedmem'"},
        {"how": "n_jobs=1"},
        {"made": "Manager().list()"},
        {"made": "['before']"},
        {"made": "shared"},
        {"made": "np.memmap('out.npy', mode='w+', shape=6)", "fills": "failures[number] = 1"},
        {"made": "np.zeros(6)", "fills": "failures[number] = 1", "how": "n_jobs=2, mmap_mode='w+', max_nbytes=0"},
        {"then": "return images"},
        {"then": "images = Parallel(n_jobs=2)(delayed(render)(number, failures) for number in images)"},
        {"fills": "return failures"},
        {"fills": "print(failures)"},
        {"given": "failures.append", "fills": "failures(number)", "how": "n_jobs=2, prefer='threads'"},
        {"given": "failures.append", "fills": "failures(number)", "then": "return images"},
        {"given": "failures.count", "fills": "failures(number)"},
    ],
)
def test_what_tasks_of_joblib_share_or_nobody_reads(program: dict[str, str]) -> None:
    assert _of_joblib(**program) == []


STATES = """\
import torch
import torch.multiprocessing as mp
from collections import Counter


def act(index, states, model, free):
    while True:
        at = free.get()
        if at is None:
            break
        {fills}


def train(model, actors, count):
    states = {made}
    {prepared}
    free = mp.get_context("fork").SimpleQueue()
    workers = [mp.Process(target=act, args=(i, states, model, free)) for i in range(actors)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [states[at] for at in range(count)]


if __name__ == "__main__":
    train(torch.nn.Linear(3, 3), 4, 60)
"""
SHARED_ONE_BY_ONE = """\
for _ in range(count):
        state = model.initial_state(batch_size=1)
        for tensor in state:
            tensor.share_memory_()
        states.append(state)"""


@pytest.mark.parametrize(
    ("made", "fills", "prepared"),
    [
        pytest.param("[]", "states[at][0][...] = model.initial_state()", SHARED_ONE_BY_ONE, id="parts put in"),
        pytest.param("[]", "for i, one in enumerate(model()): states[at][i][...] = one", SHARED_ONE_BY_ONE, id="loop"),
        pytest.param("{}", "states['h'][at] = model()", "states.update(model.shared())", id="parts of a dict"),
        pytest.param("[]", "states[at].append(at)", "model.put_managers_in(states)", id="parts of unknown kind"),
    ],
)
def test_a_part_that_processes_may_share(made: str, fills: str, prepared: str) -> None:
    assert codes(STATES.format(made=made, fills=fills, prepared=prepared)) == []


@pytest.mark.parametrize(
    ("made", "fills"),
    [
        ("[]", "states.append(model())"),
        ("{}", "states[at] = model()"),
        ("{}", "states[at] = []\n        states[at].append(model())"),
        ("Counter()", "states[at] += 1"),
    ],
)
def test_a_container_of_which_workers_make_the_parts(made: str, fills: str) -> None:
    assert codes(STATES.format(made=made, fills=fills, prepared="print(actors)")) == ["LP221"]


PLATE = """\
import multiprocessing as mp

import numpy as np


class Plate:
    def __init__(self, rows, cols):
        self.shape = (rows, cols)
        self._blocks = [mp.RawArray("d", rows * cols) for _ in range(2)]
        self.fields = [np.frombuffer(block).reshape(self.shape) for block in self._blocks]
        self.first = np.frombuffer(self._blocks[0]).reshape(self.shape)

    def views(self):
        return [np.frombuffer(block).reshape(self.shape) for block in self._blocks]


def spread(source, target):
    target[:] = source + 1


def run({given}, barrier):
    {body}


def simulate(plate):
    fields = plate.views()
    barrier = mp.Barrier(1)
    process = mp.Process(target=run, args=({sent}, barrier))
    process.start()
    process.join()
    return {read}


def main():
    plate = Plate(4, 4)
    print(simulate(plate).max())


if __name__ == "__main__":
    main()
"""


def _plated(given: str, body: str, sent: str, read: str) -> list[str]:
    text = PLATE.format(given=given, body=body, sent=sent, read=read)
    return [code for _, code in marks(text)]


_SWAPPED = """source, target = fields
    for _ in range(3):
        spread(source, target)
        barrier.wait()
        source, target = target, source"""


@pytest.mark.parametrize(
    ("given", "body", "sent", "read"),
    [
        ("fields", _SWAPPED, "plate.fields", "plate.fields[1]"),
        ("fields", "source, target = fields\n    spread(source, target)", "plate.fields", "plate.fields[1]"),
        ("fields", "fields[1][:] = fields[0] + 1", "plate.fields", "plate.fields[1]"),
        ("fields", "for field in fields:\n        field[1:] = 1", "plate.fields", "plate.fields[0]"),
        ("field", "field[:] = 1", "plate.first", "plate.first"),
        ("field", "field[:] = 1", "plate.fields[0]", "plate.fields[0]"),
        ("views", "source, target = views\n    spread(source, target)", "fields", "fields[1]"),
    ],
)
def test_views_of_shared_memory_in_an_object_or_a_list(given: str, body: str, sent: str, read: str) -> None:
    assert _plated(given, body, sent, read) == ["LP221"]


@pytest.mark.parametrize(
    ("given", "body", "sent", "read"),
    [
        ("blocks", "spread(*[np.frombuffer(block) for block in blocks])", "plate._blocks", "plate.fields[1]"),
        ("fields", "source, target = fields\n    spread(source, target)", "plate.fields", "np.zeros(3)"),
        ("fields", "source, target = fields\n    print((source + target).max())", "plate.fields", "plate.fields[1]"),
        (
            "fields",
            "source, target = fields\n    target = target.copy()\n    spread(source, target)",
            "plate.fields",
            "plate.fields[0]",
        ),
        ("fields", "target = fields[0] + 1\n    target[:] = 3", "plate.fields", "plate.fields[0]"),
        ("fields", "fields[0] = 3", "plate.fields", "plate.fields[0]"),
        ("shape", "spread(np.ones(shape), np.ones(shape))", "plate.shape", "plate.fields[0]"),
        ("a, b", "spread(a, b)", "*plate.fields", "plate.fields[1]"),  # gap: arguments that are spread
    ],
)
def test_views_that_a_process_only_reads_or_makes_itself(given: str, body: str, sent: str, read: str) -> None:
    assert _plated(given, body, sent, read) == []


def test_views_that_a_thread_is_given() -> None:
    text = PLATE.format(given="fields", body="fields[1][:] = 1", sent="plate.fields", read="plate.fields[1]")
    text = text.replace("mp.Process(", "threading.Thread(").replace("import numpy", "import threading\nimport numpy")
    assert marks(text) == []


SIBLINGS = """\
import numpy as np
def capture(n, o):
    {fills}
def show(o, n):
    {reads}
def main():
    raw = mp.Array("d", 3)
    o = {made}
    one = mp.Process(target={first}, args=(1, o))
    other = {other}
    one.start()
    other.start()
    one.join()
    other.join()
"""
SHOWN = "mp.Process(target=show, args=(o, 1))"


def _siblings(
    made: str = "np.frombuffer(raw.get_obj())",
    fills: str = "o[n] = 1",
    reads: str = "print(o[n])",
    first: str = "capture",
    other: str = SHOWN,
) -> list[str]:
    return codes(SIBLINGS.format(made=made, fills=fills, reads=reads, first=first, other=other) + GUARD)


@pytest.mark.parametrize("fills", ["o[n] = 1", "o[:, n] += 1", "o.fill(n)"])
@pytest.mark.parametrize("reads", ["print(o[n])", "rows = o\n    print(rows.sum())", "o[n] = o[n] + 1"])
def test_views_that_another_process_reads(fills: str, reads: str) -> None:
    assert "LP221" in _siblings(fills=fills, reads=reads)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"fills": "print(o[n])"}, id="nobody fills it"),
        pytest.param({"reads": "o[n] = 2"}, id="each fills it"),
        pytest.param({"reads": "print(n)"}, id="nobody reads it"),
        pytest.param({"other": "mp.Process(target=show, args=(raw, 1))"}, id="the other has something else"),
        pytest.param({"other": "mp.Process(target=capture, args=(2, o))"}, id="the same function"),
        pytest.param({"made": "raw"}, id="the array of multiprocessing itself"),
        pytest.param({"made": "np.array([1, 2, 3])"}, id="memory of its own"),
    ],
)
def test_views_that_no_other_process_reads(changed: dict[str, str]) -> None:
    assert _siblings(**changed) == []


SHIPPED = """\
import multiprocessing as mp
import numpy as np
class Table:
    def __init__(self, path, rows):
        self.path = path
        self.rows = rows
        self.raw = mp.RawArray("d", rows)
        self.shown = np.frombuffer(self.raw)
        self.data = np.memmap(path, dtype=float, mode="{mode}", shape=(rows,))
        self.own = np.zeros(rows)
    def view(self):
        return np.frombuffer(self.raw).reshape(2, -1)
    @property
    def seen(self):
        return self.view()[1:]
    def bands(self, count):
        whole = self.view()
        return [whole[i : i + 2] for i in range(count)]
    def each(self, count):
        for i in range(count):
            yield self.shown[i : i + 2]
    def put(self, row, value):
        self.shown[row] = value
    def total(self):
        return self.view().sum()
    def close(self):
        self.raw = None
class Holder:
    def __init__(self, table):
        self.table = table
def put(table, row):
    table.shown[row] = row
def fill(given, row, done=None):
    {fills}
def start(table):
    {starts}
    {reads}
def main():
    t = Table("t.bin", 4)
    start(t)
    {then}
"""
_ONE = "mp.Process(target=fill, args=({}, 1)).start()"
_EACH = "for i, band in enumerate({}):\n        mp.Process(target=fill, args=(band, i)).start()"


def _shipped(
    fills: str, given: str, reads: str = "pass", then: str = "print(t.total())", starts: str = _ONE, mode: str = "w+"
) -> list[str]:
    started = starts.format(given)
    return codes(SHIPPED.format(fills=fills, starts=started, reads=reads, then=then, mode=mode) + GUARD)


@pytest.mark.parametrize(
    ("fills", "given", "starts"),
    [
        ("given.shown[row] = 1", "table", _ONE),
        ("given.shown[row] += 1", "table", _ONE),
        ("given.shown += 1", "table", _ONE),
        ("given.shown.fill(1)", "table", _ONE),
        ("np.copyto(given.shown, 1)", "table", _ONE),
        ("rows = given.shown\n    rows[row] = 1", "table", _ONE),
        ("given.put(row, 1)", "table", _ONE),
        ("put(given, row)", "table", _ONE),
        ("put(given.table, row)", "Holder(table)", _ONE),
        ("given.table.shown[row] = 1", "Holder(table)", _ONE),
        ("given[row] = 1", "table.view()", _ONE),
        ("given[row] = 1", "table.seen", _ONE),
        ("given[row] = 1", "table.shown[1:]", _ONE),
        ("given += 1\n    given[0] = 0", "table.view()", _ONE),
        ("given[:] = 1", "table.bands(2)", _EACH),
        ("given[:] = 1", "table.each(2)", _EACH),
        ("given[:] = 1", "np.array_split(table.view(), 2)", _EACH),
    ],
)
def test_views_that_are_shipped_with_objects_or_got_out_of_them(fills: str, given: str, starts: str) -> None:
    assert _shipped(fills, given, starts=starts) == ["LP221"]


@pytest.mark.parametrize(
    ("fills", "given", "reads", "then"),
    [
        pytest.param("print(given.shown[row])", "table", "pass", "print(t.total())", id="only read"),
        pytest.param("given.own[row] = 1", "table", "pass", "print(t.total())", id="memory of its own"),
        pytest.param("given.raw[row] = 1", "table", "pass", "print(t.total())", id="the memory itself"),
        pytest.param("given.view()[:] = 1", "table", "pass", "print(t.total())", id="shown anew"),
        pytest.param("given.shown[row] = 1", "table", "pass", "pass", id="never read"),
        pytest.param("given.shown[row] = 1", "table", "table.close()", "print(t.rows, t.path)", id="only sizes"),
        pytest.param(
            "given.shown = np.zeros(4)\n    given.shown[row] = 1", "table", "pass", "print(t.total())", id="another one"
        ),
        pytest.param("given[row] = 1", "table.view().copy()", "pass", "print(t.total())", id="a copy"),
        pytest.param("given = given + 1\n    given[0] = 0", "table.view()", "pass", "print(t.total())", id="a new one"),
        pytest.param("given[row] = 1\n    done.put(given)", "table.view()", "pass", "print(t.total())", id="sent back"),
        pytest.param("given.shown[row] = 1\n    done.put(given)", "table", "pass", "print(t.total())", id="sent whole"),
    ],
)
def test_views_of_which_nothing_is_lost(fills: str, given: str, reads: str, then: str) -> None:
    assert _shipped(fills, given, reads, then) == []


@pytest.mark.parametrize("fills", ["given.data[row] = 1", "given.data[row] += 1\n    given.data.flush()"])
@pytest.mark.parametrize("mode", ["w+", "r+"])
def test_a_mapped_file_of_an_object(fills: str, mode: str) -> None:
    assert _shipped(fills, "table", then="pass", mode=mode) == ["LP221"]
    told = SHIPPED.format(fills=fills, starts=_ONE.format("table"), reads="pass", then="pass", mode=mode)
    found = [each for each in lint("import multiprocessing as mp\n" + told + GUARD).diagnostics if each.code == "LP221"]
    assert ["the file that `table.data` shows" in each.message for each in found] == [True]


@pytest.mark.parametrize(
    ("fills", "mode"),
    [
        pytest.param("given.data[row] = 1", "c", id="not written to the file"),
        pytest.param("print(given.data[row])", "r", id="only read"),
        pytest.param("rows = np.memmap(given.path, mode='r+')\n    rows[row] = 1", "w+", id="mapped in the worker"),
        pytest.param("given.data = np.memmap(given.path)\n    given.data[row] = 1", "w+", id="mapped anew"),
    ],
)
def test_a_mapped_file_of_an_object_that_loses_nothing(fills: str, mode: str) -> None:
    assert _shipped(fills, "table", then="pass", mode=mode) == []


def test_a_comprehension_that_starts_processes_reads_nothing_later() -> None:
    starts = "[mp.Process(target=fill, args=({}, row)).start() for row in range(table.total())]"
    assert _shipped("given.shown[row] = 1", "table", then="pass", starts=starts) == []
    assert _shipped("given.shown[row] = 1", "table", then="print(t.total())", starts=starts) == ["LP221"]


def test_an_array_with_memory_of_its_own_is_lost_as_any_attribute() -> None:
    text = KEPT.format(made="np.ones(4)", fills="self.grid[i] = 2.0", reads="print(self.grid)", more="")
    assert codes(text + GUARD) == ["LP207"]
