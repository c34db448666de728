"""Cached functions that read what main writes after it has called them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict
from tests.migration.test_verdicts import migrated, worst

_PROGRAM = """\
import functools
import multiprocessing
import os


def publish(path, text):
    with open(path, "w") as file:
        file.write(text)


{decorator}
def rate():
    return {read}


def value(amount):
    return amount * rate()


def main(path):
    multiprocessing.set_start_method("fork")
    print(rate())
    {between}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(value, [1]))


if __name__ == "__main__":
    main("rates")
"""


def _verdict(folder: Path, **changed: str) -> Verdict:
    parts = {"decorator": "@functools.lru_cache", "read": "int(open(os.environ['RATES']).read())"}
    return worst(migrated(folder, _PROGRAM.format(**(parts | changed))))


@pytest.mark.parametrize("decorator", ["@functools.lru_cache", "@functools.lru_cache(None)", "@functools.cache"])
@pytest.mark.parametrize("between", ["publish(path, '5')", "os.environ['RATES'] = path", "os.replace('new', path)"])
def test_what_is_written_after_the_call_may_be_what_it_reads(decorator: str, between: str, tmp_path: Path) -> None:
    assert _verdict(tmp_path, decorator=decorator, between=between) is Verdict.CANNOT_TELL


def test_a_file_that_both_name_alike(tmp_path: Path) -> None:
    changed = {"read": "int(open('rates').read())", "between": "open('rates', 'w').write('5')"}
    assert _verdict(tmp_path, **changed) is Verdict.CHANGES


@pytest.mark.parametrize(
    "changed",
    [
        {"between": "print(path)"},
        {"between": "publish(path, '5')\n    rate.cache_clear()"},
        {"between": "publish(path, '5')", "read": "3"},
        {"between": "publish(path, '5')", "decorator": ""},
    ],
)
def test_nothing_to_read_again(changed: dict[str, str], tmp_path: Path) -> None:
    assert _verdict(tmp_path, **changed) is Verdict.READY


_PATHS = """\
import functools
import multiprocessing
import pathlib

FILE = pathlib.Path("rates")
OTHER = pathlib.Path("other")


def publish(text):
    {written}.write_text(text)


@functools.lru_cache
def rate():
    return int(FILE.read_text())


def value(amount):
    return amount * rate()


def main():
    print(rate())
    publish("5")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(value, [1]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(("written", "verdict"), [("FILE", Verdict.CHANGES), ("OTHER", Verdict.READY)])
def test_a_path_by_which_a_function_of_the_module_writes(written: str, verdict: Verdict, tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, _PATHS.format(written=written))) is verdict


_FILES = """\
import functools
import json
import multiprocessing
from pathlib import Path

FILE = Path("rates.json")
NAME = "rates.json"
FOLDER = Path("data")


def save(path, level):
    path.write_text(json.dumps(level))


@functools.lru_cache
def load({parameter}):
    {read}


def value(amount):
    return amount * load({given})


def main():
    print(load({given}))
    {between}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(value, [1]))


if __name__ == "__main__":
    main()
"""
_READ_PATH, _SAVED = "return json.loads(path.read_text())", "save(FILE, 2)"


@pytest.mark.parametrize(
    ("parameter", "read", "given", "between"),
    [
        pytest.param("path", _READ_PATH, "FILE", _SAVED, id="given to both"),
        pytest.param("path", "return json.load(open(path))", "NAME", _SAVED, id="a text and a path"),
        pytest.param("", "return json.loads(FILE.read_text())", "", _SAVED, id="read by its name"),
        pytest.param("", "return json.load(FILE.open())", "", "FILE.open('w').write('2')", id="opened by its path"),
        pytest.param("", "return json.load(open('rates.json'))", "", "FILE.write_text('2')", id="by its text"),
        pytest.param("path", _READ_PATH, "FOLDER / 'a'", "save(FOLDER / 'a', 2)", id="in a folder"),
    ],
)
def test_the_same_file_by_other_names(parameter: str, read: str, given: str, between: str, tmp_path: Path) -> None:
    text = _FILES.format(parameter=parameter, read=read, given=given, between=between)
    assert worst(migrated(tmp_path, text)) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("parameter", "read", "given", "between"),
    [
        pytest.param("path", _READ_PATH, "FILE", "save(Path('log'), 2)", id="given another one"),
        pytest.param("", "return json.loads(FILE.read_text())", "", "open('log', 'a').write('2')", id="by its text"),
        pytest.param("path", _READ_PATH, "FILE", "open(NAME).read()", id="only read"),
    ],
)
def test_another_file(parameter: str, read: str, given: str, between: str, tmp_path: Path) -> None:
    text = _FILES.format(parameter=parameter, read=read, given=given, between=between)
    assert worst(migrated(tmp_path, text)) is Verdict.READY


@pytest.mark.parametrize("between", ["save(path, 2)", "frame.to_json(NAME)", "open('x', 'w'); os.environ['A'] = 'b'"])
def test_a_file_that_may_be_the_same(between: str, tmp_path: Path) -> None:
    text = _FILES.format(parameter="path", read=_READ_PATH, given="FILE", between=between)
    text = text.replace("def main():", "def main(path, frame):").replace("    main()\n", "    main(*sys.argv[1:])\n")
    assert worst(migrated(tmp_path, text)) is Verdict.CANNOT_TELL
