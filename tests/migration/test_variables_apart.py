"""Several variables of the environment that main sets before and after the fork server starts: of each that workers
ask for, it is told apart. The programs were run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
import multiprocessing
import os


def region():
    return os.environ.get("APP_REGION", "local")


def stage(name, results):
    {stage}


class Pipeline:
    def __init__(self):
        self.results = multiprocessing.SimpleQueue()

    def switch(self, region, label):
        os.environ["APP_REGION"] = region
        os.environ["APP_STAGE"] = label

    def extract(self):
        worker = multiprocessing.Process(target=stage, args=("extract", self.results))
        worker.start()
        worker.join()
        return self.results.get()


def main():
    pipeline = Pipeline()
    {main}


if __name__ == "__main__":
    main()
"""
BOTH = 'results.put((name, region(), os.environ.get("APP_STAGE", "-")))'
REGION = 'results.put((name, region(), os.environ.get("HOME", "-")))'
FIRST, SECOND = 'pipeline.switch("eu-1", "first")', 'pipeline.switch("eu-2", "second")'
START = "print(pipeline.extract())"
SET_REGION, SET_STAGE = 'os.environ["APP_REGION"] = "eu-2"', 'os.environ["APP_STAGE"] = "second"'


def said(folder: Path, stage: str, *rows: str, to: StartMethod = StartMethod.FORKSERVER) -> Verdict:
    return worst(migrated(folder, CODE.format(stage=stage, main="\n    ".join(rows)), to))


@pytest.mark.parametrize(
    ("stage", "rows"),
    [
        pytest.param(BOTH, (FIRST, START, SECOND, START), id="both, by a method"),
        pytest.param(BOTH, (START, SET_REGION, START), id="one, asked for by another function"),
        pytest.param(REGION, (START, SET_REGION, START), id="one, with another variable asked for first"),
        pytest.param(BOTH, (SET_REGION, START, SET_STAGE, START), id="one before, one after"),
        pytest.param(BOTH, (SET_STAGE, START, SET_REGION, START), id="one after, one before"),
    ],
)
def test_what_is_set_when_the_server_runs_changes(stage: str, rows: tuple[str, ...], tmp_path: Path) -> None:
    assert said(tmp_path, stage, *rows) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("stage", "rows", "to"),
    [
        pytest.param(BOTH, (FIRST, START, START), StartMethod.FORKSERVER, id="before the first start"),
        pytest.param(BOTH, (FIRST, START, FIRST, START), StartMethod.FORKSERVER, id="to the same again"),
        pytest.param(BOTH, (FIRST, START, START, SECOND), StartMethod.FORKSERVER, id="after the last start"),
        pytest.param(REGION, (SET_REGION, START, SET_STAGE, START), StartMethod.FORKSERVER, id="nobody asks for it"),
        pytest.param(BOTH, (FIRST, START, SECOND, START), StartMethod.SPAWN, id="under spawn"),
    ],
)
def test_what_the_server_has_is_ready(stage: str, rows: tuple[str, ...], to: StartMethod, tmp_path: Path) -> None:
    assert said(tmp_path, stage, *rows, to=to) is Verdict.READY


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        pytest.param(
            f"{BOTH}\n    print(os.environ.get(name.upper()), 'x')", SET_STAGE.replace("STAGE", "X"), id="asked"
        ),
        pytest.param(BOTH, 'os.environ["APP_" + "STAGE"] = "second"', id="set"),
        pytest.param(BOTH, "os.environ.update(dict([('a', 'b')]))", id="updated"),
    ],
)
def test_names_that_are_not_written_out_cannot_be_told(asked: str, named: str, tmp_path: Path) -> None:
    assert said(tmp_path, asked, SET_REGION, START, named, START) is Verdict.CANNOT_TELL
