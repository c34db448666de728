"""What a limit leaves unread may hold what a rule misses: a call that sets, seeds or restores. Rules that conclude from
absence then say no more than that a finding is possible."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from lintpickle.diagnostics import Confidence
from lintpickle.interpreter import evaluator
from lintpickle.limits import LIMITS, WORKER_CALLS
from lintpickle.payload import worker_reader

from ..support import lint

CONFIGURED = """\
import multiprocessing

CONFIG = None


def configure():
    global CONFIG
    CONFIG = {"size": 3}


def work(row):
    return level_0(row)


"""
USED = """
def use(row):
    return row * CONFIG["size"]


def main():
    configure()
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print(pool.map(work, range(4)))


if __name__ == "__main__":
    main()
"""


def _chain(levels: int, last: str) -> str:
    steps = (f"def level_{n}(row):\n    return level_{n + 1}(row)\n\n\n" for n in range(levels))
    return "".join(steps) + f"def level_{levels}(row):\n    {last}\n\n"


def _levels(text: str) -> list[tuple[str, str]]:
    return [(each.code, each.confidence.value) for each in lint(text).diagnostics]


def test_a_worker_that_is_read_to_its_end() -> None:
    """The worker sets the global itself, at the end of a chain of calls that is followed; or nobody does."""
    assert _levels(CONFIGURED + _chain(3, "configure()\n    return use(row)") + USED) == []
    assert _levels(CONFIGURED + _chain(3, "return use(row)") + USED) == [("LP208", "likely")]


def test_a_worker_with_calls_that_are_too_far_away() -> None:
    """What is called from further away may set the global before it is read: nothing is said by default."""
    deep = _chain(WORKER_CALLS.most + 3, "configure()\n    return row")
    text = CONFIGURED.replace("return level_0(row)", "level_0(row)\n    return use(row)") + deep + USED
    assert _levels(text) == []


def test_a_worker_with_more_calls_than_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    text = CONFIGURED.replace("return level_0(row)", "use(row)\n    return level_0(row)")
    text += _chain(3, "return row") + USED
    assert _levels(text) == [("LP208", "likely")]
    few = replace(LIMITS["worker-functions"], most=2)
    monkeypatch.setattr(worker_reader, "WORKER_FUNCTIONS", few)
    assert _levels(text) == []


SEEDED = """\
import multiprocessing

import numpy as np


def work(row):
    return np.random.rand() * row


def main():
    np.random.seed(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, range(4)))


if __name__ == "__main__":
    main()
"""
DROPPED = """\
import threading

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self):
        self.lock = threading.Lock()

    def __getstate__(self):
        state = dict(self.__dict__)
        del state["lock"]
        return state

    def __len__(self):
        return 9

    def __getitem__(self, index):
        with self.lock:
            return index


def main():
    for row in DataLoader(Rows(), num_workers=2):
        print(row)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (CONFIGURED + _chain(0, "return use(row)") + USED, "LP208"),
        (SEEDED, "LP309"),
        (DROPPED, "LP604"),
    ],
    ids=["LP208", "LP309", "LP604"],
)
def test_a_spent_budget_is_no_answer(monkeypatch: pytest.MonkeyPatch, text: str, code: str) -> None:
    """However early the budget of a root is spent, nothing is said by default of what was not read. The rule is asked
    alone: another one may spend what is left behind it."""
    assert [each for each, _ in _levels(text)] == [code]
    believed: set[Confidence | None] = set()
    for most in range(0, 400, 20):
        few = replace(LIMITS["evaluations"], most=most)
        monkeypatch.setattr(evaluator, "EVALUATIONS", few)
        outcome = lint(text, only=code)
        if any(cut.limit == "evaluations" for cut in outcome.cuts):
            believed.update(each.confidence for each in outcome.diagnostics)
    assert believed <= {Confidence.POSSIBLE}


def test_what_is_seen_stays_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock that crosses is seen, whatever else is not read: LP111 concludes from nothing that it does not find."""
    text = DROPPED.replace('del state["lock"]', "pass")
    assert _levels(text) == [("LP111", "certain")]
    found = set()
    for most in range(0, 200, 10):
        monkeypatch.setattr(evaluator, "EVALUATIONS", replace(LIMITS["evaluations"], most=most))
        found.update(_levels(text))
    assert found <= {("LP111", "certain"), ("LP111", "likely")}
