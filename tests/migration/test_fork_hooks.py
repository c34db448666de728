"""Hooks of `os.register_at_fork`, which only forked processes run. Measured with CPython 3.11."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

PROGRAM = """\
import multiprocessing
import os
import random
import threading

MODE = "parent"
SEEN = []


def hook():
    {hook}


os.register_at_fork({when}=hook)


class Cache:
    def __init__(self):
        self.entries = {{"a": 1}}
        self.lock = threading.Lock()
        self.misses = []
        os.register_at_fork(after_in_child=self.renew)

    def renew(self):
        {renew}


CACHE = Cache()


def begin():
    {begin}


def work(key):
    return {reads}


def main():
    {main}
    with multiprocessing.Pool(1, initializer=begin) as pool:
        print(pool.map(work, ["a"]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


def said(
    folder: Path,
    reads: str,
    hook: str = "pass",
    renew: str = "pass",
    main: str = "pass",
    begin: str = "pass",
    when: str = "after_in_child",
    to: StartMethod = StartMethod.SPAWN,
) -> Verdict:
    text = PROGRAM.format(reads=reads, hook=hook, renew=renew, main=main, begin=begin, when=when)
    return worst(migrated(folder, text, to))


@pytest.mark.parametrize("to", [StartMethod.SPAWN, StartMethod.FORKSERVER])
@pytest.mark.parametrize(
    ("reads", "hook", "renew"),
    [
        pytest.param("MODE", 'global MODE; MODE = "child"', "pass", id="a global"),
        pytest.param("list(SEEN)", "SEEN.append(1)", "pass", id="a container"),
        pytest.param('os.environ.get("ROLE", "main")', 'os.environ["ROLE"] = "child"', "pass", id="the environment"),
        pytest.param("random.random()", "random.seed(7)", "pass", id="a seed"),
        pytest.param("CACHE.entries.get(key)", "pass", "self.entries = {}", id="an attribute"),
        pytest.param("CACHE.entries.get(key)", "pass", "self.entries.clear()", id="what an attribute holds"),
        pytest.param("CACHE.entries.get(key)", "pass", 'self.entries["a"] = 5', id="an item of that"),
        pytest.param("CACHE.entries.get(key)", "CACHE.renew()", "self.entries = {}", id="by what it calls"),
    ],
)
def test_what_they_do_is_missing(reads: str, hook: str, renew: str, to: StartMethod, tmp_path: Path) -> None:
    assert said(tmp_path, reads, hook, renew, to=to) is Verdict.CHANGES


def test_what_is_done_before_the_fork_is_missing(tmp_path: Path) -> None:
    assert said(tmp_path, "CACHE.entries.get(key)", "CACHE.entries = {}", when="before") is Verdict.CHANGES


@pytest.mark.parametrize(
    ("reads", "hook", "renew", "main"),
    [
        pytest.param("MODE", 'global MODE; MODE = "parent"', "pass", 'global MODE; MODE = "x"', id="a global"),
        pytest.param("list(SEEN)", "SEEN.clear()", "pass", "SEEN.append(1)", id="a container"),
        pytest.param("list(SEEN)", "global SEEN; SEEN = []", "pass", "SEEN.append(1)", id="another container"),
        pytest.param("len(CACHE.misses)", "pass", "self.misses = []", "CACHE.misses.append(1)", id="an attribute"),
        pytest.param("len(CACHE.misses)", "pass", "self.misses.clear()", "pass", id="what an attribute holds"),
        pytest.param("CACHE.lock.locked()", "pass", "self.lock = threading.Lock()", "pass", id="a lock"),
    ],
)
def test_what_they_put_back_is_there(reads: str, hook: str, renew: str, main: str, tmp_path: Path) -> None:
    assert said(tmp_path, reads, hook, renew, main) is Verdict.READY


@pytest.mark.parametrize(
    ("reads", "hook", "main"), [("MODE", "pass", 'global MODE; MODE = "x"'), ("list(SEEN)", "pass", "SEEN.append(1)")]
)
def test_what_nobody_puts_back_is_missing(reads: str, hook: str, main: str, tmp_path: Path) -> None:
    assert said(tmp_path, reads, hook, main=main) is Verdict.CHANGES


def test_what_workers_do_as_well_is_there(tmp_path: Path) -> None:
    assert said(tmp_path, "CACHE.entries.get(key)", renew="self.entries = {}", begin="CACHE.renew()") is Verdict.READY


@pytest.mark.parametrize(
    ("hook", "renew"), [("random.seed(7)", "pass"), ('os.environ["ROLE"] = "x"', "pass"), ("pass", "self.entries = {}")]
)
def test_what_workers_do_not_read_does_not_matter(hook: str, renew: str, tmp_path: Path) -> None:
    assert said(tmp_path, "key.upper()", hook, renew) is Verdict.READY


GIVEN = """\
import multiprocessing
import os


class Role:
    def __init__(self):
        self.name = "coordinator"
        self.batch = 100

    def become_worker(self):
        {becomes}

    def stay(self):
        pass


ROLE = Role()


def turn():
    ROLE.name = "child"


def install(role):
    os.register_at_fork(after_in_child={hook})


def work(key):
    return {reads}


def main():
    install({given})
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, ["a"]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""


def said_of_given(
    folder: Path,
    hook: str = "role.become_worker",
    given: str = "ROLE",
    becomes: str = 'self.name = "worker"',
    reads: str = "ROLE.name",
) -> Verdict:
    return worst(migrated(folder, GIVEN.format(hook=hook, given=given, becomes=becomes, reads=reads)))


@pytest.mark.parametrize(
    ("hook", "given"),
    [
        pytest.param("role.become_worker", "ROLE", id="a method of what a function is given"),
        pytest.param("role.become_worker", "role=ROLE", id="given by name"),
        pytest.param("role", "turn", id="a function that is given"),
        pytest.param("role", "ROLE.become_worker", id="a method that is given"),
        pytest.param("ROLE.become_worker", "None", id="a method of an object of the module"),
    ],
)
def test_a_hook_that_a_function_is_given_is_missing(hook: str, given: str, tmp_path: Path) -> None:
    assert said_of_given(tmp_path, hook, given) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("hook", "becomes", "reads"),
    [
        pytest.param("role.stay", 'self.name = "worker"', "ROLE.name", id="another method"),
        pytest.param("role.become_worker", "self.batch = 10", "ROLE.name", id="another attribute"),
        pytest.param("role.become_worker", 'self.name = "coordinator"', "ROLE.name", id="put back"),
        pytest.param("role.become_worker", 'self.name = "worker"', "key", id="not read"),
    ],
)
def test_a_hook_that_a_function_is_given_does_not_matter(hook: str, becomes: str, reads: str, tmp_path: Path) -> None:
    assert said_of_given(tmp_path, hook, becomes=becomes, reads=reads) is Verdict.READY
