"""Settings that main makes under a name by which workers ask for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_verdicts import migrated, worst

MAIN = """\
import codecs
import multiprocessing as mp
import shutil
import gymnasium
import matplotlib
import matplotlib.pyplot as plt


def find(name):
    return None


def work(job, name="strict"):
    return {asks}


def main(name):
    {sets}
    with mp.Pool(2) as pool:
        print(pool.starmap(work, {jobs}))


if __name__ == "__main__":
    main("mine")
"""
JOBS = '[("a", "mine"), ("b", "mine")]'


@pytest.mark.parametrize(
    ("sets", "asks", "error"),
    [
        ("codecs.register_error(name, find)", "job.encode('ascii', errors=name)", "error handler name 'mine'"),
        ("codecs.register_error('mine', find)", "open(job, errors='mine')", "error handler name 'mine'"),
        ("codecs.register(find)", "job.encode('mine')", "unknown encoding: mine"),
        ("codecs.register(find)", "open(job, encoding='mine').read()", "unknown encoding: mine"),
        ("gymnasium.register(id='My-v0', entry_point='a:B')", "gymnasium.make('My-v0')", "Environment `My-v0` doesn't"),
        ("matplotlib.colormaps.register(job, name='mine')", "plt.imshow(job, cmap='mine')", "'mine' is not a valid"),
        ("shutil.register_archive_format('my', find)", "shutil.make_archive(job, 'my')", "unknown archive format 'my'"),
    ],
)
def test_what_only_main_gives_a_name_is_missing(sets: str, asks: str, error: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, MAIN.format(sets=sets, asks=asks, jobs=JOBS))
    said = [finding.diagnostic.error or "" for boundary in found.boundaries for finding in boundary.findings]
    assert any(error in each for each in said)
    assert worst(found) is Verdict.BREAKS


@pytest.mark.parametrize(
    ("sets", "asks"),
    [
        ("codecs.register_error(name, find)", "job.encode('ascii', errors='replace')"),
        ("codecs.register_error(name, find)", "job.encode()"),
        ("codecs.register(find)", "job.encode('Latin-1') + job.encode()"),
        ("codecs.register(find)", "open(job, encoding='utf_8_sig').read()"),
        ("gymnasium.register(id='My-v0', entry_point='a:B')", "gymnasium.make('CartPole-v1')"),
        ("matplotlib.colormaps.register(job, name='mine')", "plt.imshow(job, cmap='viridis')"),
        ("shutil.register_archive_format('my', find)", "shutil.make_archive(job, 'zip')"),
    ],
)
def test_what_is_there_anyway_is_ready(sets: str, asks: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, MAIN.format(sets=sets, asks=asks, jobs=JOBS))
    assert worst(found) is Verdict.READY


@pytest.mark.parametrize(
    ("sets", "asks", "jobs"),
    [
        pytest.param(
            "codecs.register_error(name, find)", "job.encode('ascii', name)", "read()", id="what is asked for"
        ),
        pytest.param("gymnasium.register(read())", "gymnasium.make('My-v0')", JOBS, id="what is there"),
    ],
)
def test_where_a_name_is_not_known_it_cannot_be_told(sets: str, asks: str, jobs: str, tmp_path: Path) -> None:
    found = migrated(tmp_path, MAIN.format(sets=sets, asks=asks, jobs=jobs))
    assert worst(found) is Verdict.CANNOT_TELL


POLICY = """\
import codecs
import multiprocessing as mp


class Policy:
    def __init__(self, name):
        self.name = name

    def activate(self):
        codecs.register_error(self.name, print)
        return self


def encoded(text, policy):
    return text.encode("latin-1", errors=policy)


def export(policy, rows):
    with mp.Pool(1) as pool:
        return [pool.apply_async(encoded, (row, {asked})).get() for row in rows]


if __name__ == "__main__":
    print(export(Policy("marked").activate(), ["a"]))
"""


def test_a_name_that_an_object_keeps(tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, POLICY.format(asked="policy.name"))) is Verdict.BREAKS
    assert worst(migrated(tmp_path, POLICY.format(asked="'ignore'"))) is Verdict.READY
