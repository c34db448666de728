"""Limits that are reached while boundaries are sought: what is cut is not known, and costs other places nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from lintpickle.limits import EVALUATIONS
from lintpickle.migration.model import Verdict
from tests.migration.test_migrate import migrated

_EVALUATED = 300
_MANY = "import multiprocessing\n" + "".join(
    f"""

def send{n}(value):
    queue = multiprocessing.Queue()
    queue.put([value, {n}])
"""
    for n in range(_EVALUATED // 3)
)
_WORKER = """\
import multiprocessing

context = multiprocessing.get_context("fork")


class Worker(context.Process):
    def __init__(self, path):
        super().__init__()
        self.log = open(path)

    def run(self):
        print(self.log.read())


def start(path):
    worker = Worker(path)
    worker.start()
    worker.join()


if __name__ == "__main__":
    start("log.txt")
"""


class TestWhatOneCallCosts:
    def test_others_are_not_short_of(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("lintpickle.interpreter.evaluator.EVALUATIONS", replace(EVALUATIONS, most=_EVALUATED))
        alone = migrated(tmp_path, worker=_WORKER)
        both = migrated(tmp_path, a_sender=_MANY, worker=_WORKER)
        assert [each.verdict for each in alone.boundaries] == [Verdict.BREAKS]
        assert [each for each in both.boundaries if each.spot.path.endswith("worker.py")] == list(alone.boundaries)

    @pytest.mark.parametrize("most", range(1, 60, 6))
    def test_what_is_cut_is_not_ready(self, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("lintpickle.interpreter.evaluator.EVALUATIONS", replace(EVALUATIONS, most=most))
        found = migrated(tmp_path, worker=_WORKER)
        assert found.boundaries
        assert Verdict.READY not in [each.verdict for each in found.boundaries]


class TestProcessesThatNobodyMakes:
    def test_are_not_known_to_be_ready(self, tmp_path: Path) -> None:
        found = migrated(tmp_path, worker=_WORKER.partition("\n\ndef start")[0])
        assert [each.verdict for each in found.boundaries] == [Verdict.CANNOT_TELL]
        assert [gap.message for gap in found.boundaries[0].gaps] == ["no code is seen that makes such an object"]

    def test_those_that_somebody_makes_count_there(self, tmp_path: Path) -> None:
        text = _WORKER.replace("self.log = open(path)", "self.log = path").replace("self.log.read()", "open(self.log)")
        found = migrated(tmp_path, worker=text)
        assert [(each.what, each.verdict) for each in found.boundaries] == [("Worker(path)", Verdict.READY)]
