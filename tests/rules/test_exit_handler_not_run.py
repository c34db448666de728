"""LP224: exit-handler-not-run."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint


class TestPage(PageTests):
    code = "LP224"


PROGRAM = """\
import atexit
class Sink:
    def __init__(self, path):
        self.path = path
        self.rows = []
        {registers}
    def write(self, row):
        self.rows.append(row)
        if len(self.rows) > 9:
            self.flush()
    def flush(self):
        with open(self.path, "a") as file:
            {flushes}
    def close(self):
        self.flush()
def work(path):
    sink = Sink(path)
    for row in range(60):
        sink.write(row)
    {ends}
def main():
    {starts}
if __name__ == "__main__":
    main()
"""
REGISTERS = "atexit.register(self.flush)"
FLUSHES = "file.write(str(self.rows))"
STARTS = "mp.Process(target=work, args=('a',)).start()"


def of(registers: str = REGISTERS, flushes: str = FLUSHES, ends: str = "pass", starts: str = STARTS) -> list[str]:
    found = codes(PROGRAM.format(registers=registers, flushes=flushes, ends=ends, starts=starts))
    return [code for code in found if code == "LP224"]


@pytest.mark.parametrize(
    "starts",
    [
        pytest.param(STARTS, id="a process"),
        pytest.param("with mp.Pool(2) as pool:\n        pool.map(work, ['a', 'b'])", id="a pool"),
        pytest.param("with ProcessPoolExecutor() as e:\n        e.submit(work, 'a')", id="an executor"),
        pytest.param(STARTS.replace("mp.", "mp.get_context('forkserver')."), id="forkserver"),
    ],
)
def test_a_buffer_that_is_left_to_atexit(starts: str) -> None:
    assert of(starts=starts) == ["LP224"]


def test_another_name_for_the_function() -> None:
    text = PROGRAM.replace("import atexit", "from atexit import register")
    text = text.format(registers="register(self.close)", flushes=FLUSHES, ends="pass", starts=STARTS)
    assert "LP224" not in codes(text.replace("self.close)", "self.path.close)"))
    assert "LP224" in codes(text.replace("self.close)", "self.flush)"))


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"ends": "sink.flush()"}, id="flushed at the end"),
        pytest.param({"ends": "sink.close()"}, id="closed at the end"),
        pytest.param({"registers": "pass"}, id="not registered"),
        pytest.param({"flushes": "pass"}, id="nothing is written"),
        pytest.param({"flushes": "file.write(self.path)"}, id="what is written was there before"),
        pytest.param({"starts": STARTS.replace("mp.", "mp.get_context('spawn').")}, id="spawned"),
        pytest.param({"starts": f"mp.set_start_method('spawn')\n    {STARTS}"}, id="spawn is set"),
        pytest.param({"starts": "work('a')"}, id="no worker"),
        pytest.param({"ends": "atexit._run_exitfuncs()"}, id="handlers are run"),
    ],
)
def test_nothing_is_lost(changed: dict[str, str]) -> None:
    assert of(**changed) == []


_GATHERED = """\
import atexit
from concurrent.futures import ProcessPoolExecutor
import multiprocessing as mp
rows = []
{decorates}
def flush():
    with open("rows.txt", "a") as file:
        file.writelines(rows)
    rows.clear()
{at_import}
class Sink:
    def __init__(self):
        self.rows = []
    def write(self, row):
        self.rows.append(row)
    def flush(self):
        with open("rows.txt", "a") as file:
            file.writelines(self.rows)
sink = None
def start():
    global sink
    {registers}
def work(number):
    {works}
def main():
    {starts}
if __name__ == "__main__":
    main()
"""
_OWN_POOL = "with mp.Pool(2, start) as pool:\n        pool.map(work, range(9))"
_CLOSED = """pool = mp.get_context('{method}').Pool(2, start)
    pool.map(work, range(9))
    pool.close()
    pool.join()"""
_BOUNDED = "rows.append(str(number))\n    if len(rows) > 3:\n        flush()"


def _of_pool(
    registers: str = "pass",
    works: str = _BOUNDED,
    starts: str = _OWN_POOL,
    at_import: str = "",
    decorates: str = "",
) -> list[str]:
    text = _GATHERED.format(
        registers=registers, works=works, starts=starts, at_import=at_import, decorates=decorates or "# no decorator"
    )
    return [code for code in codes(text) if code == "LP224"]


_FUNCTION, _BY_OBJECT = "atexit.register(flush)", "sink = Sink()\n    atexit.register(sink.flush)"


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"registers": _FUNCTION}, id="an initializer registers a function"),
        pytest.param({"registers": _BY_OBJECT, "works": "sink.write(str(number))"}, id="the method of an object"),
        pytest.param({"at_import": _FUNCTION}, id="the import of the module"),
        pytest.param({"decorates": "@atexit.register"}, id="a decorator"),
        pytest.param({"works": f"{_FUNCTION}\n    rows.append(str(number))"}, id="the task"),
        pytest.param(
            {
                "registers": _FUNCTION,
                "starts": "with ProcessPoolExecutor(2, initializer=start) as e:\n        e.submit(work, 1)",
            },
            id="an executor",
        ),
    ],
)
def test_what_an_initializer_leaves_to_atexit(changed: dict[str, str]) -> None:
    assert _of_pool(**changed) == ["LP224"]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"registers": _FUNCTION, "works": "rows.append('a')\n    flush()"}, id="each task writes"),
        pytest.param({"registers": _FUNCTION, "works": "return number"}, id="nothing is gathered"),
        pytest.param(
            {"works": f"{_FUNCTION}\n    try:\n        rows.append('a')\n    finally:\n        flush()"}, id="finally"
        ),
        pytest.param(
            {"registers": "mp.util.Finalize(None, flush, exitpriority=1)"}, id="a finalizer of multiprocessing"
        ),
        pytest.param({"registers": "atexit.register(print, 'done')"}, id="another handler"),
        pytest.param({"registers": _FUNCTION, "starts": _CLOSED.format(method="spawn")}, id="spawn, and closed"),
        pytest.param(
            {
                "at_import": _FUNCTION,
                "works": "return 'a'",
                "starts": "with mp.Pool(2) as pool:\n        rows.extend(pool.map(work, range(9)))",
            },
            id="the main process gathers",
        ),
        pytest.param({"registers": _BY_OBJECT, "works": "return number"}, id="an object that nobody fills"),
    ],
)
def test_what_an_initializer_registers_and_nothing_is_lost(changed: dict[str, str]) -> None:
    assert _of_pool(**changed) == []


@pytest.mark.parametrize(
    ("starts", "why"),
    [
        pytest.param(_OWN_POOL, "terminates its workers", id="left by `with`"),
        pytest.param(_OWN_POOL.replace("mp.", "mp.get_context('spawn')."), "terminates its workers", id="spawned"),
        pytest.param(_CLOSED.format(method="fork"), "a forked worker does not", id="closed and joined"),
    ],
)
def test_why_the_handler_is_not_run(starts: str, why: str) -> None:
    text = _GATHERED.format(registers=_FUNCTION, works=_BOUNDED, starts=starts, at_import="", decorates="")
    [found] = [each for each in lint(text).diagnostics if each.code == "LP224"]
    assert why in found.message
