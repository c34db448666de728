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


LAZY = """\
import functools
import os
import zipfile
from multiprocessing import Pool, Process, get_context

_files = {{}}


class Reader:
    def __init__(self, path):
        self.file = open(path, "rb")
        self.other = None

    def read(self, index):
        self.file.seek(index)
        return self.file.read(9)

    def read_other(self, index):
        if self.other is None:
            self.other = open("b", "rb")
        self.other.seek(index)
        return self.other.read(9)


READER = Reader("a")


{opener}


def read_at(path, index):
    {read}


def work(index):
    return {task}


def check(path):
    return read_at(path, 0) == b"!"


def main():
    {main}


if __name__ == "__main__":
    main()
"""
OPENER = "def kept(path):\n    if path not in _files:\n        _files[path] = open(path, 'rb')\n    return _files[path]"
CACHED = "@functools.lru_cache\ndef kept(path):\n    return zipfile.ZipFile(path)"
SEEK = "file = kept(path)\n    file.seek(index)\n    return file.read(9)"
TASK = "read_at('a', index)"
MAPPED = "with Pool(4) as pool:\n        pool.map(work, range(9))"
AFTER_CHECK = f"check('a')\n    {MAPPED}"


def lazily(opener: str = OPENER, read: str = SEEK, task: str = TASK, main: str = AFTER_CHECK) -> bool:
    text = LAZY.format(opener=opener, read=read, task=task, main=main)
    return any(code == "LP305" for _, code in marks(text))


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="kept in a dict"),
        pytest.param({"opener": CACHED, "read": "return kept(path).read(str(index))"}, id="kept by a cache"),
        pytest.param({"main": AFTER_CHECK.replace("Pool(4)", "get_context('fork').Pool(4)")}, id="asks for fork"),
        pytest.param({"main": f"read_at('a', 1)\n    {MAPPED}"}, id="main reads itself"),
        pytest.param({"task": "READER.read(index)", "main": MAPPED}, id="an object of the module"),
        pytest.param(
            {"main": "check('a')\n    for n in range(4):\n        Process(target=work, args=(n,)).start()"},
            id="several processes",
        ),
    ],
)
def test_a_file_that_the_main_process_has_opened_before(changed: dict[str, str]) -> None:
    assert lazily(**changed)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"main": MAPPED}, id="only workers open it"),
        pytest.param({"main": f"{MAPPED}\n    check('a')"}, id="opened behind the workers"),
        pytest.param({"main": AFTER_CHECK.replace("Pool(4)", "Pool(1)")}, id="one worker"),
        pytest.param({"main": "check('a')\n    Process(target=work, args=(1,)).start()"}, id="one process"),
        pytest.param({"main": AFTER_CHECK.replace("Pool(4)", "get_context('spawn').Pool(4)")}, id="spawned"),
        pytest.param({"read": "with open(path, 'rb') as file:\n        return file.read(9)"}, id="opened each time"),
        pytest.param({"opener": "def kept(path):\n    return open(path, 'rb')"}, id="opened each time by a function"),
        pytest.param({"read": "return os.pread(kept(path).fileno(), 9, index)"}, id="without the offset"),
        pytest.param({"opener": OPENER.replace("path not", "(path, os.getpid()) not")}, id="for each process"),
        pytest.param(
            {"opener": f"{OPENER}\n\n\ndef close():\n    for file in _files.values():\n        file.close()"},
            id="may be closed again",
        ),
        pytest.param({"opener": OPENER.replace("if path not in _files:", "if True:")}, id="opened anew"),
        pytest.param({"task": "READER.read_other(index)", "main": MAPPED}, id="an object that opens it in workers"),
        pytest.param({"task": "Reader('a').read(index)", "main": MAPPED}, id="an object of the worker"),
        pytest.param({"task": "len(_files)"}, id="workers do not read it"),
        pytest.param({"read": f"with LOCK:\n        {SEEK}".replace("\n    ", "\n        ")}, id="under a lock"),
        pytest.param({"read": f"LOCK.acquire()\n    {SEEK}"}, id="a lock is taken"),
    ],
)
def test_a_file_that_workers_do_not_share(changed: dict[str, str]) -> None:
    assert not lazily(**changed)


GLOBAL = "def opened(path):\n    global FILE\n    FILE = open(path, 'rb')\n\n\nFILE = None"
OBJECT = """\
class Scanner:
    def __init__(self, reader):
        self.reader = reader

    def scan(self, index):
        return self.reader.read(index)


def opened(path):
    global SCANNER
    {sets}


SCANNER = None"""
SETS = "SCANNER = Scanner(Reader(path))"
FILE_SEEK = "FILE.seek(index)\n    return FILE.read(9)"
SCAN = {"task": "SCANNER.scan(index)", "main": f"opened('a')\n    {MAPPED}"}


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"opener": GLOBAL, "read": FILE_SEEK, "main": f"opened('a')\n    {MAPPED}"}, id="a file"),
        pytest.param({"opener": OBJECT.format(sets=SETS), **SCAN}, id="an object of an object"),
        pytest.param(
            {"opener": OBJECT.format(sets="reader = Reader(path)\n    SCANNER = Scanner(reader)"), **SCAN},
            id="by a variable",
        ),
        pytest.param(
            {"opener": OBJECT.format(sets="SCANNER = [Reader(path)]"), **SCAN, "task": "SCANNER[0].read(index)"},
            id="in a list",
        ),
        pytest.param(
            {"opener": OBJECT.format(sets="print(path)"), **SCAN}
            | {"main": f"global SCANNER\n    SCANNER = Scanner(Reader('a'))\n    {MAPPED}"},
            id="by the function that starts them",
        ),
        pytest.param(
            {
                "opener": OBJECT.format(sets=SETS),
                **SCAN,
                "main": f"opened('a')\n    {MAPPED}\n    SCANNER.reader.file.close()",
            },
            id="closed behind them",
        ),
    ],
)
def test_a_global_that_main_sets(changed: dict[str, str]) -> None:
    assert lazily(**changed)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"opener": GLOBAL, "read": FILE_SEEK, "main": f"{MAPPED}\n    opened('a')"}, id="set behind"),
        pytest.param(
            {"opener": GLOBAL, "read": FILE_SEEK, "main": MAPPED.replace("Pool(4)", "Pool(4, opened, ('a',))")},
            id="set by an initializer",
        ),
        pytest.param(
            {
                "opener": f"{GLOBAL}\n\n\ndef begin():\n    global FILE\n    FILE = open('b', 'rb')",
                "read": FILE_SEEK,
                "main": "opened('a')\n    with Pool(4, begin) as pool:\n        pool.map(work, range(9))",
            },
            id="set again by an initializer",
        ),
        pytest.param(
            {"opener": GLOBAL, "read": FILE_SEEK, "main": "opened('a')\n    FILE.close()\n    " + MAPPED},
            id="closed before",
        ),
        pytest.param(
            {"opener": OBJECT.format(sets=SETS), **SCAN, "task": "Scanner(Reader('a')).scan(index)"},
            id="workers make another one",
        ),
        pytest.param({"opener": OBJECT.format(sets="SCANNER = Scanner(path)"), **SCAN}, id="no file"),
        pytest.param(
            {
                "opener": OBJECT.format(sets=SETS),
                **SCAN,
                "main": f"opened('a')\n    {MAPPED}".replace("Pool(4)", "Pool(1)"),
            },
            id="one worker",
        ),
    ],
)
def test_a_global_that_workers_do_not_share(changed: dict[str, str]) -> None:
    assert not lazily(**changed)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("with open(path, 'rb') as file:\n        text = file.read()\n    return text.split()", id="with"),
        pytest.param("file = open(path, 'rb')\n    lines = file.readlines()\n    return sorted(lines)", id="dropped"),
        pytest.param("with zipfile.ZipFile(path) as file:\n        return file.read('a'), len(path)", id="pair"),
    ],
)
@pytest.mark.parametrize("cache", ["functools.cache", "functools.lru_cache(maxsize=None)"])
def test_a_cache_of_what_was_read(body: str, cache: str) -> None:
    opener = f"@{cache}\ndef kept(path):\n    {body}"
    assert not lazily(opener=opener, read="return kept(path)[index]")


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("file = open(path, 'rb')\n    file.seek(9)\n    return file", SEEK),
        ("file = open(path, 'rb')\n    return file, len(path)", SEEK.replace("kept(path)", "kept(path)[0]")),
    ],
)
def test_a_cache_of_the_file(body: str, read: str) -> None:
    assert lazily(opener=f"@functools.cache\ndef kept(path):\n    {body}", read=read)
