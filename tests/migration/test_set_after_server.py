"""What the main process sets when the fork server runs already: the mask of new files, limits, descriptors."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

ROUNDS = """\
import multiprocessing as mp
import os
import pathlib
import resource
import sys


def warm(n):
    return n + 1


def work(path):
    {first}
    {work}


def change(path):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT)
    {change}


def first_round():
    with mp.Pool(2) as pool:
        print(pool.map(warm, [1, 2]))


def second_round(path):
    with mp.Pool(2) as pool:
        print(pool.map(work, [path]))


def main():
    {rounds}


if __name__ == "__main__":
    main()
"""
LATE = ["first_round()", "change('a')", "second_round('b')"]
EARLY = ["change('a')", "first_round()", "second_round('b')"]
UMASK = "os.umask(0o077)"
LIMIT = "resource.setrlimit(resource.RLIMIT_NOFILE, (128, 1024))"
WRITES = "target = pathlib.Path(path)\n    target.write_text('secret')"
ASKS = "return resource.getrlimit(resource.RLIMIT_NOFILE)"
PRINTS = "print(path, flush=True)"


def said(
    folder: Path,
    change: str,
    work: str,
    rounds: list[str],
    first: str = "pass",
    to: StartMethod = StartMethod.FORKSERVER,
) -> Verdict:
    code = ROUNDS.format(change=change, work=work, rounds="\n    ".join(rounds), first=first)
    return worst(migrated(folder, code, to))


@pytest.mark.parametrize(
    ("change", "work"),
    [
        pytest.param(UMASK, WRITES, id="umask"),
        pytest.param(UMASK, "open(path, 'w').close()", id="umask, open"),
        pytest.param(UMASK, "os.makedirs(path)", id="umask, folders"),
        pytest.param(LIMIT, ASKS, id="limit"),
        pytest.param("os.dup2(fd, 1)", PRINTS, id="descriptor"),
        pytest.param("os.dup2(fd, sys.stdout.fileno())", PRINTS, id="descriptor of stdout"),
    ],
)
def test_what_is_set_when_the_server_runs_changes(change: str, work: str, tmp_path: Path) -> None:
    assert said(tmp_path, change, work, LATE) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("change", "work", "rounds", "first", "to"),
    [
        pytest.param(UMASK, WRITES, EARLY, "pass", StartMethod.FORKSERVER, id="umask set before"),
        pytest.param(LIMIT, ASKS, EARLY, "pass", StartMethod.FORKSERVER, id="limit set before"),
        pytest.param("os.dup2(fd, 1)", PRINTS, EARLY, "pass", StartMethod.FORKSERVER, id="descriptor set before"),
        pytest.param(UMASK, WRITES, LATE, "pass", StartMethod.SPAWN, id="umask, under spawn"),
        pytest.param("os.dup2(fd, 1)", PRINTS, LATE, "pass", StartMethod.SPAWN, id="descriptor, under spawn"),
        pytest.param(UMASK, "open(path, 'rb').close()", LATE, "pass", StartMethod.FORKSERVER, id="only read"),
        pytest.param(UMASK, WRITES, LATE, UMASK, StartMethod.FORKSERVER, id="workers set it, too"),
        pytest.param("os.dup2(fd, 0)", PRINTS, LATE, "pass", StartMethod.FORKSERVER, id="standard input"),
        pytest.param(LIMIT, "return len(path)", LATE, "pass", StartMethod.FORKSERVER, id="nobody asks"),
        pytest.param(UMASK, WRITES, [*LATE[:1], LATE[2], LATE[1]], "pass", StartMethod.FORKSERVER, id="set at the end"),
    ],
)
def test_what_the_server_has_is_ready(
    change: str, work: str, rounds: list[str], first: str, to: StartMethod, tmp_path: Path
) -> None:
    assert said(tmp_path, change, work, rounds, first, to) is Verdict.READY


def test_a_file_that_is_written_where_its_path_is_made(tmp_path: Path) -> None:
    # gap: a method of what a call has just made is not looked for.
    assert said(tmp_path, UMASK, "pathlib.Path(path).write_text('secret')", LATE) is Verdict.READY


MANAGED = """\
import multiprocessing as mp
import os


def work(store):
    store["language"] = os.environ.get("LANGUAGE", "de")


def main():
    {first}
    with mp.Manager() as manager:
        store = manager.dict()
        {then}
        process = mp.Process(target=work, args=(store,))
        process.start()
        process.join()
        print(dict(store))


if __name__ == "__main__":
    main()
"""
_ENVIRONMENT = 'os.environ["LANGUAGE"] = "fr"'


def test_the_server_of_a_manager_starts_first(tmp_path: Path) -> None:
    late = MANAGED.format(first="pass", then=_ENVIRONMENT)
    assert worst(migrated(tmp_path, late, StartMethod.FORKSERVER)) is Verdict.CHANGES
    assert worst(migrated(tmp_path, late, StartMethod.SPAWN)) is Verdict.READY
    early = MANAGED.format(first=_ENVIRONMENT, then="pass")
    assert worst(migrated(tmp_path, early, StartMethod.FORKSERVER)) is Verdict.READY


def test_set_before_the_first_round_and_again_before_the_second(tmp_path: Path) -> None:
    twice = [UMASK.replace("0o077", "0o022"), "second_round('a')", UMASK, "second_round('b')"]
    assert said(tmp_path, "pass", WRITES, twice) is Verdict.CHANGES
    alike = [UMASK, "second_round('a')", UMASK, "second_round('b')"]
    assert said(tmp_path, "pass", WRITES, alike) is Verdict.READY


BESIDE = """\
import multiprocessing as mp


def weigh(row):
    return row * 2


def {name}(rows):
    return sum(rows)


def main():
    with mp.Pool(2) as pool:
        print({name}(pool.map(weigh, [1])))


if __name__ == "__main__":
    main()
"""
TURNS = """\
import multiprocessing as mp
import os


def threads():
    return int(os.environ.get("KERNEL_THREADS", "1"))


def kernel(size):
    return size * threads()


def measure(count):
    os.environ["KERNEL_THREADS"] = str(count)
    with mp.Pool(2) as pool:
        return pool.map(kernel, [1, 2])


def main():
    for count in [1, 2, 4]:
        print(measure(count))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("name", ["measure", "others"])
def test_a_program_beside_it_that_has_a_function_of_the_name(name: str, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(BESIDE.format(name=name), encoding="utf-8")
    found = migrated(tmp_path, TURNS, StartMethod.FORKSERVER)
    assert next(each.verdict for each in found.boundaries if each.spot.path.endswith("main.py")) is Verdict.CHANGES
