"""Variables of the environment that a loop sets anew before each process that it starts: the fork server keeps the
first. One program of the kind was run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated

CODE = """\
import argparse
import multiprocessing as mp
import os


def rank():
    return int(os.environ["RANK"])


def size():
    return int(os.environ["SIZE"])


def train(folder, number):
    {train}


class Launcher:
    def __init__(self, count, folder):
        self.count = count
        self.folder = folder
        self.processes = []

    def start(self):
        os.environ["SIZE"] = str(self.count)
        {before}
        for index in range(self.count):
            {each}
            process = mp.Process(target=train, args=(self.folder, index))
            process.start()
            self.processes.append(process)

    def wait(self):
        for process in self.processes:
            process.join()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--folder", default="ranks")
    args = parser.parse_args()
    launcher = Launcher(args.count, args.folder)
    launcher.start()
    launcher.wait()


if __name__ == "__main__":
    main()
"""
EACH = 'os.environ["RANK"] = str(index)'
BOTH = "print(folder, rank(), size())"


def verdict(folder: Path, to: StartMethod, train: str = BOTH, before: str = "pass", each: str = EACH) -> Verdict:
    (only,) = migrated(folder, CODE.format(train=train, before=before, each=each), to).boundaries
    return only.verdict


@pytest.mark.parametrize("train", [BOTH, "print(rank())", 'print(size(), os.environ.get("RANK"))'])
def test_each_process_asks_for_its_own(tmp_path: Path, train: str) -> None:
    assert verdict(tmp_path, StartMethod.FORKSERVER, train) is Verdict.CHANGES
    assert verdict(tmp_path, StartMethod.SPAWN, train) is Verdict.READY


def test_what_is_set_before_the_loop(tmp_path: Path) -> None:
    for to in (StartMethod.FORKSERVER, StartMethod.SPAWN):
        assert verdict(tmp_path, to, each="pass", before='os.environ["RANK"] = "0"') is not Verdict.CHANGES


def test_processes_that_are_told(tmp_path: Path) -> None:
    for to in (StartMethod.FORKSERVER, StartMethod.SPAWN):
        assert verdict(tmp_path, to, "print(folder, number)") is Verdict.READY
