"""Attributes of classes and objects that each process makes anew as it imports their module. The programs were run with
CPython 3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

HOME = """\
import os
import random
import time
import uuid


class Config:
    started = time.time()

    def __init__(self):
        self.salt = {salt}
        self.rate: int = 5
        {more}


CONFIG = Config()
Config.run_id = uuid.uuid4().hex
"""
MAIN = """\
import multiprocessing as mp

import home
from home import CONFIG, Config


def begin(salt):
    CONFIG.salt = salt


def work(row):
    return row, {reads}


def main():
    print(CONFIG.salt, Config.started, Config.run_id)
    with mp.Pool(2{begin}) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
"""


def verdict(tmp_path: Path, reads: str, salt: str = "random.random()", more: str = "", begin: str = "") -> Verdict:
    (tmp_path / "home.py").write_text(HOME.format(salt=salt, more=more), encoding="utf-8")
    return worst(migrated(tmp_path, MAIN.format(reads=reads, begin=begin)))


@pytest.mark.parametrize("reads", ["Config.started", "CONFIG.salt", "home.CONFIG.salt", "Config.run_id"])
def test_workers_have_others(reads: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, reads) is Verdict.CHANGES


@pytest.mark.parametrize("salt", ["os.getpid()", "time.time()", "str(uuid.uuid4())"])
def test_what_differs_in_each_process(salt: str, tmp_path: Path) -> None:
    assert verdict(tmp_path, "CONFIG.salt", salt) is Verdict.CHANGES


def test_what_is_the_same_in_each_process(tmp_path: Path) -> None:
    assert verdict(tmp_path, "CONFIG.rate") is Verdict.READY
    assert verdict(tmp_path, "CONFIG.salt", "random.Random(3).random()") is Verdict.READY
    assert verdict(tmp_path, "CONFIG.salt", "7") is Verdict.READY


def test_workers_are_given_that_of_main(tmp_path: Path) -> None:
    assert verdict(tmp_path, "CONFIG.salt", begin=", begin, (CONFIG.salt,)") is Verdict.READY


def test_what_methods_read_of_their_own_object_is_not_seen(tmp_path: Path) -> None:
    shown = "self.show = 1\n\n    def salted(self):\n        return self.salt"
    assert verdict(tmp_path, "CONFIG.salted()", more=shown) is Verdict.READY  # gap: each worker has another one
