"""LP224: exit-handler-not-run."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


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
