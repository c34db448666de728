"""LP305: inherited-handle-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP305"


POOL = """\
import lmdb
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, get_context

FILE = open("records.bin", "rb")
ENV = lmdb.open("records.lmdb"{options})


def work(index):
    {body}


def main():
    {start}


if __name__ == "__main__":
    main()
"""
MAP = "with get_context('fork').Pool(4) as pool:\n        pool.map(work, range(9))"
SUBMIT = "with ProcessPoolExecutor(mp_context=get_context('fork')) as pool:\n        list(pool.map(work, range(9)))"
READ = "FILE.seek(index)\n    return FILE.read(10)"
BEGIN = "with ENV.begin() as transaction:\n        return transaction.get(b'a')"


def found(body: str, start: str = MAP, options: str = "") -> set[int]:
    text = POOL.format(body=body, start=start, options=options)
    return {row for row, code in marks(text) if code == "LP305"}


@pytest.mark.parametrize("start", [MAP, SUBMIT])
def test_a_file_that_the_workers_of_a_pool_read(start: str) -> None:
    assert found(READ, start) == {5}


@pytest.mark.parametrize(
    ("body", "start"),
    [
        ("return index", MAP),
        ("with open('records.bin', 'rb') as file:\n        return file.read()", MAP),
        (READ, MAP.replace("'fork'", "'spawn'")),
        (READ, "get_context('fork').Process(target=work, args=(1,)).start()"),
    ],
)
def test_a_file_of_one_reader(body: str, start: str) -> None:
    assert found(body, start) == set()


@pytest.mark.parametrize("options", ["", ", readonly=True", ", readonly=True, max_readers=1000", ", lock=True"])
def test_an_environment_with_its_lock(options: str) -> None:
    assert found(BEGIN, options=options) == {6}


@pytest.mark.parametrize("options", [", lock=False", ", readonly=True, lock=False", ", lock=LOCKED", ", **OPTIONS"])
def test_an_environment_without_a_lock_or_nobody_knows(options: str) -> None:
    assert found(BEGIN, options=options) == set()


def test_an_environment_that_only_the_main_process_reads() -> None:
    assert found("return index", MAP + "\n    with ENV.begin() as transaction:\n        transaction.get(b'a')") == set()
