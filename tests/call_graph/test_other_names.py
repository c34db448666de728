"""Methods to which the body of their class gives another name."""

from __future__ import annotations

import pytest

from tests.support import marks

RUNNER = """\
import threading
from multiprocessing import Pool


class Runner:
    def run_many(self, function, items):
        with Pool(2) as pool:
            return pool.map(function, items)

    def run_here(self, function, items):
        return list(map(function, items))

    run_all = {method}


class Fast(Runner):
    def {overridden}(self, function, items):
        return [function(item) for item in items]


def main():
    {call}


if __name__ == "__main__":
    main()
"""
STATE = """\
import pickle
import threading


class Table:
    def __init__(self, rows):
        self.rows = rows
        self.lock = threading.Lock()

    def kept(self):
        return {{"rows": self.rows}}

    def everything(self):
        return dict(self.__dict__)

    __getstate__ = {method}


def save(path):
    with open(path, "wb") as file:
        pickle.dump(Table([1]), file)
"""


@pytest.mark.parametrize(
    ("call", "overridden"),
    [
        ("Runner().run_all(lambda item: item, [1, 2])", "other"),
        ("runner = Runner()\n    runner.run_all(function=lambda item: item, items=[1, 2])", "run_many"),
        ("Fast().run_all(lambda item: item, [1, 2])", "run_many"),  # The name still stands for the base's method.
        ("Runner.run_all(Runner(), lambda item: item, [1, 2])", "other"),
    ],
)
def test_who_calls_a_method_by_another_name(call: str, overridden: str) -> None:
    code = RUNNER.format(method="run_many", call=call, overridden=overridden)
    assert [found for _, found in marks(code)] == ["LP201"]


@pytest.mark.parametrize(
    ("method", "call", "overridden"),
    [
        ("run_here", "Runner().run_all(lambda item: item, [1, 2])", "other"),
        ("run_many", "Fast().run_all(lambda item: item, [1, 2])", "run_all"),
        ("print", "Runner().run_all(lambda item: item, [1, 2])", "other"),
    ],
)
def test_the_name_of_something_else(method: str, call: str, overridden: str) -> None:
    assert marks(RUNNER.format(method=method, call=call, overridden=overridden)) == []


@pytest.mark.parametrize(("method", "found"), [("kept", []), ("everything", ["LP111"])])
def test_a_hook_by_the_name_of_a_method(method: str, found: list[str]) -> None:
    assert [code for _, code in marks(STATE.format(method=method))] == found


def test_a_script_that_starts_workers_by_another_name() -> None:
    code = RUNNER.format(method="run_many", call="pass", overridden="other") + "\n\nRunner().run_all(print, [1, 2])\n"
    assert [found for _, found in marks(code)] == ["LP203"]
