"""LP117: writer-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import indented
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP117"


PLAYED = """\
import csv
from concurrent.futures import ProcessPoolExecutor


def play(movie, options, table):
    table.writerow({{"movie": movie}})


def main(movies, options, path):
    table = None
    if options.out:
        table = csv.DictWriter(open(path, "w"), fieldnames=["movie"])
    {more}
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(play, {given}))


if __name__ == "__main__":
    main([], None, "a.csv")
"""


@pytest.mark.parametrize(
    ("more", "given"),
    [
        ("pass", "*zip(*[(movie, options, table) for movie in movies])"),
        ("tasks = [(movie, options, table) for movie in movies]", "*zip(*tasks)"),
        ("pass", "*zip(*((movie, options, table) for movie in movies))"),
    ],
)
def test_a_column_of_zipped_tuples(more: str, given: str) -> None:
    assert [code for _, code in marks(PLAYED.format(more=more, given=given))] == ["LP117"]


@pytest.mark.parametrize(
    ("more", "given"),
    [
        ("pass", "*zip(*[(movie, options, path) for movie in movies])"),
        ("tasks = [(movie, options, table.fieldnames) for movie in movies]", "*zip(*tasks)"),
        ("tasks = [(movie, table) for movie in movies]", "*zip(*[(movie, 1, 2) for movie in movies])"),
    ],
)
def test_columns_that_can_be_sent(more: str, given: str) -> None:
    assert marks(PLAYED.format(more=more, given=given)) == []


LOGGED = """\
import pickle
from torch.utils.tensorboard import FileWriter, SummaryWriter


class Log:
    def __init__(self, folder):
        self.folder = folder
        self.writer = {made}

    def add(self, tag, value, step):
        self.writer.add_scalar(tag, value, step)

    def __getstate__(self):
{hook}
        return self.__dict__.copy()


def save(path, folder):
    log = Log(folder)
    log.add("loss", 1.0, 0)
    with open(path, "wb") as file:
        pickle.dump(log, file)


save("log.pkl", "runs")
"""
SUMMARY = "SummaryWriter(folder)"


@pytest.mark.parametrize(
    ("made", "hook"),
    [
        pytest.param(SUMMARY, "self.writer.close()", id="always"),
        pytest.param(f"{SUMMARY} if folder else None", "if self.writer:\n    self.writer.close()", id="if it is there"),
        pytest.param(SUMMARY, "if self.writer is not None:\n    self.writer.close()", id="if it is not None"),
    ],
)
def test_a_summary_writer_that_the_hook_closes_crosses_and_opens_itself(made: str, hook: str) -> None:
    assert marks(LOGGED.format(made=made, hook=indented(hook))) == []


@pytest.mark.parametrize(
    ("made", "hook", "expected"),
    [
        pytest.param(SUMMARY, "self.writer.flush()", ["LP117"], id="only flushed"),
        pytest.param(SUMMARY, "if self.folder:\n    self.writer.close()", ["LP117"], id="closed at times"),
        pytest.param("FileWriter(folder)", "self.writer.close()", ["LP117", "LP603"], id="one that stays closed"),
        pytest.param("open(folder)", "self.writer.close()", ["LP110", "LP603"], id="a file"),
    ],
)
def test_a_writer_that_still_cannot_cross(made: str, hook: str, expected: list[str]) -> None:
    assert sorted(code for _, code in marks(LOGGED.format(made=made, hook=indented(hook)))) == expected


OF_TENSORBOARDX = """\
import multiprocessing
from tensorboardX import SummaryWriter


class Job:
    def __init__(self):
        self.writer = SummaryWriter("runs")


def work(job):
    print(job)


if __name__ == "__main__":
    {use}
"""


@pytest.mark.parametrize(
    ("use", "error"),
    [
        ("multiprocessing.Process(target=work, args=(Job(),)).start()", "cannot pickle '_io.BufferedWriter' object"),
        ("multiprocessing.Pool(2).map(work, [Job()])", "Queue objects should only be shared between processes"),
    ],
)
def test_the_queue_of_a_writer_crosses_when_a_process_starts(use: str, error: str) -> None:
    found = lint(OF_TENSORBOARDX.format(use=use)).diagnostics
    assert [error in each.message for each in found if each.code == "LP117"] == [True]
