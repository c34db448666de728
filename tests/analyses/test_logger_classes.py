"""Methods that loggers have only after the main process has set their class."""

from __future__ import annotations

import pytest

from tests.rules.worker_functions import codes

PROGRAM = """\
import logging

class Notes(logging.Logger):
    def note(self, text):
        self.log(21, text)

def set_up():
    logging.setLoggerClass(Notes)

{worker}

def main():
    set_up()
    {starts}

if __name__ == "__main__":
    main()
"""
WORK = "def work(item):\n    {log}.note(item)"
PLAIN = WORK.format(log="logging.getLogger('work')")
STARTS = "mp.Process(target=work, args=(1,)).start()"


@pytest.mark.parametrize(
    "worker",
    [
        pytest.param(PLAIN, id="asked for on the spot"),
        pytest.param("def work(item):\n    logger = logging.getLogger('x')\n    logger.note(item)", id="a variable"),
        pytest.param(
            f"def own_log():\n    return logging.getLogger('x')\n{WORK.format(log='own_log()')}", id="by a function"
        ),
    ],
)
def test_a_method_that_the_worker_s_loggers_lack(worker: str) -> None:
    assert codes(PROGRAM.format(worker=worker, starts=STARTS)) == ["LP211"]


@pytest.mark.parametrize(
    ("worker", "starts"),
    [
        pytest.param(f"{PLAIN}\nset_up()", STARTS, id="set at import"),
        pytest.param(PLAIN, "mp.Pool(2, initializer=set_up).map(work, [1])", id="set by the initializer"),
        pytest.param(PLAIN, "mp.get_context('fork').Process(target=work, args=(1,)).start()", id="forked"),
        pytest.param(PLAIN.replace("note", "info"), STARTS, id="a method of every logger"),
        pytest.param(WORK.format(log="item"), STARTS, id="a method of something else"),
        pytest.param(
            "def work(item):\n    set_up()\n    logging.getLogger('x').note(item)", STARTS, id="set by itself"
        ),
    ],
)
def test_methods_that_are_there(worker: str, starts: str) -> None:
    assert codes(PROGRAM.format(worker=worker, starts=starts)) == []
