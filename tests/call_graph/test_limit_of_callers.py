"""A limit on callers leaves something of each place that makes an object."""

from __future__ import annotations

from tests.support import marks

SHIPS = """\
import multiprocessing
import threading


class Runner:
    def __init__(self, held):
        self.held = held

    def launch(self):
        multiprocessing.get_context("spawn").Process(target=self.work).start()

    def work(self):
        pass


def run(value):
    Runner(value).launch()


{calls}

def run_locked():
    Runner(threading.Lock()).launch()
"""


def test_one_function_with_many_callers_does_not_use_up_the_limit() -> None:
    calls = "".join(f"def call{number}():\n    run({number})\n\n\n" for number in range(40))
    assert [code for _, code in marks(SHIPS.format(calls=calls))] == ["LP111"]
