"""Names of processes by which functions of workers tell that they are forked."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.model import Verdict
from tests.migration.test_verdicts import migrated, worst
from tests.rules.worker_functions import codes

SPAWN, FORKSERVER = StartMethod.SPAWN, StartMethod.FORKSERVER
PROGRAM = """\
import multiprocessing
import re
from concurrent.futures import ProcessPoolExecutor

WORKER = re.compile(r"^Fork(?:Pool)?(?:Worker|Process)-(\\d+)")
ANY = re.compile(r"^(?:Fork|Spawn|ForkServer)(?:Pool)?(?:Worker|Process)-(\\d+)")
NAME = "ForkPoolWorker"


def work(job):
    process = multiprocessing.current_process()
    name = multiprocessing.current_process().name
    return {asked}


def main():
    {starts}


if __name__ == "__main__":
    main()
"""
POOL = "multiprocessing.Pool(2).map(work, 'ab')"
EXECUTOR = "ProcessPoolExecutor(2).map(work, 'ab')"
CONTEXT = "multiprocessing.get_context('fork').Process(target=work, args=('a',)).start()"
PLAIN = "multiprocessing.Process(target=work, args=('a',)).start()"
NAMED = "multiprocessing.get_context('fork').Process(target=work, name='Fork-1', args=('a',)).start()"


def said(folder: Path, asked: str, starts: str, to: StartMethod = SPAWN) -> Verdict:
    return worst(migrated(folder, PROGRAM.format(asked=asked, starts=starts), to))


@pytest.mark.parametrize(
    ("asked", "starts"),
    [
        ("bool(WORKER.match(multiprocessing.current_process().name))", POOL),
        ("WORKER.search(name) is not None", POOL),
        ("re.match('ForkPoolWorker-', process.name) is None", POOL),
        ("name.startswith('ForkPoolWorker')", POOL),
        ("name.startswith(NAME)", POOL),
        ("NAME in name", POOL),
        ("name == 'ForkPoolWorker-1'", POOL),
        ("name.split('-')[0] != 'ForkPoolWorker'", POOL),
        ("process.name in ('ForkPoolWorker-1', 'ForkPoolWorker-2')", POOL),
        ("'ForkProcess' in name", EXECUTOR),
        ("name == 'ForkProcess-1'", CONTEXT),
    ],
)
@pytest.mark.parametrize("to", [SPAWN, FORKSERVER])
def test_a_name_that_only_forked_ones_have(asked: str, starts: str, to: StartMethod, tmp_path: Path) -> None:
    assert said(tmp_path, asked, starts, to) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("asked", "starts"),
    [
        pytest.param("name != 'MainProcess'", POOL, id="the main process"),
        pytest.param("multiprocessing.parent_process() is None", POOL, id="asked for the parent"),
        pytest.param("bool(ANY.match(name))", POOL, id="all three"),
        pytest.param("'PoolWorker' in name", POOL, id="what all have"),
        pytest.param("job == 'ForkPoolWorker-1'", POOL, id="no name of a process"),
        pytest.param("'ForkPoolWorker' in name", EXECUTOR, id="not so of an executor anyway"),
        pytest.param("name == 'ForkProcess-1'", PLAIN, id="a process of no context"),
        pytest.param("name == 'Fork-1'", NAMED, id="a name that is given"),
    ],
)
def test_what_comes_out_alike(asked: str, starts: str, tmp_path: Path) -> None:
    assert said(tmp_path, asked, starts) is Verdict.READY


def test_a_text_that_names_of_a_server_have_as_well(tmp_path: Path) -> None:
    assert said(tmp_path, "'Fork' in name", POOL, FORKSERVER) is Verdict.READY
    assert said(tmp_path, "'Fork' in name", POOL, SPAWN) is Verdict.CHANGES


def test_a_number_that_is_taken_out_of_it_fails(tmp_path: Path) -> None:
    assert said(tmp_path, "int(WORKER.match(name).group(1))", POOL) is Verdict.BREAKS


def test_it_is_found_by_check_too() -> None:
    body = (
        "import multiprocessing\ndef g():\n    return 'ForkPoolWorker' in multiprocessing.current_process().name\n"
        "def main():\n    {}\nif __name__ == '__main__':\n    main()\n"
    )
    assert codes(body.format("multiprocessing.get_context('spawn').Pool(2).apply(g)")) == ["LP211"]
    assert codes(body.format("multiprocessing.get_context('fork').Pool(2).apply(g)")) == []
