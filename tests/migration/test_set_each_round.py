"""Variables of the environment that a loop sets anew before each process that it starts: the fork server keeps the
first. One program of the kind was run with CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

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


ROUNDS = """\
import multiprocessing as mp
import os

KEY = "SHARD"
OTHER = "SIZE"


def work(queue):
    queue.put({asks})


{more}
def main():
    queue = mp.Queue()
    {main}
    print(sorted(queue.get() for _ in workers))
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()
"""
START = """
def start(shard, queue):
    {sets} = shard
    worker = mp.Process(target=work, args=(queue,))
    worker.start()
    return worker

"""
BEGIN = """
def begin(queue):
    worker = mp.Process(target=work, args=(queue,))
    worker.start()
    return worker

"""
SHARDS = """
def shards():
    for shard in ("x", "y"):
        {sets} = shard
        yield shard

"""
FUNCTIONS = {"start": START, "begin": BEGIN, "shards": SHARDS}
NAMED, BY_CONSTANT = 'os.environ["SHARD"]', "os.environ[KEY]"
ASKS, ASKS_BY_CONSTANT = 'os.environ.get("SHARD")', "os.environ.get(KEY)"
COMPREHENSION = 'workers = [start(shard, queue) for shard in ("x", "y")]'
OUTER = """workers = []
    for shard in ("x", "y"):
        {sets} = shard
        for _ in range(2):
            workers.append(begin(queue))"""
BEFORE = '{sets} = "x"\n    workers = [begin(queue) for _ in range(2)]'
GENERATOR = "workers = [begin(queue) for shard in shards()]"


def of_rounds(folder: Path, main: str, to: StartMethod, sets: str = NAMED, asks: str = ASKS) -> Verdict:
    more = "".join(each for name, each in FUNCTIONS.items() if f"{name}(" in main).format(sets=sets)
    return worst(migrated(folder, ROUNDS.format(more=more, asks=asks, main=main.format(sets=sets)), to))


@pytest.mark.parametrize(
    ("main", "sets", "asks"),
    [
        pytest.param(COMPREHENSION, NAMED, ASKS, id="comprehension"),
        pytest.param(COMPREHENSION, BY_CONSTANT, ASKS_BY_CONSTANT, id="comprehension, by a constant"),
        pytest.param(OUTER, NAMED, ASKS, id="loop around a loop"),
        pytest.param(OUTER, BY_CONSTANT, ASKS_BY_CONSTANT, id="loop around a loop, by a constant"),
    ],
)
def test_rounds_of_other_forms(main: str, sets: str, asks: str, tmp_path: Path) -> None:
    assert of_rounds(tmp_path, main, StartMethod.FORKSERVER, sets, asks) is Verdict.CHANGES
    assert of_rounds(tmp_path, main, StartMethod.SPAWN, sets, asks) is Verdict.READY


def test_a_generator_that_sets_it_before_it_yields(tmp_path: Path) -> None:
    # gap: what comes first, a start of workers or a step of a generator, is not followed.
    assert of_rounds(tmp_path, GENERATOR, StartMethod.FORKSERVER) is Verdict.CANNOT_TELL
    assert of_rounds(tmp_path, GENERATOR, StartMethod.SPAWN) is Verdict.READY


def test_what_is_set_before_a_comprehension(tmp_path: Path) -> None:
    assert of_rounds(tmp_path, BEFORE, StartMethod.FORKSERVER) is Verdict.READY


def test_another_constant_than_is_asked_for(tmp_path: Path) -> None:
    asks = "os.environ.get(OTHER)"
    assert of_rounds(tmp_path, COMPREHENSION, StartMethod.FORKSERVER, BY_CONSTANT, asks) is not Verdict.CHANGES
