"""LP229: unflushed-file-in-worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.analyses.process_state import unflushed_files
from tests.pages import PageTests
from tests.support import changed, lint, lint_files


class TestPage(PageTests):
    code = "LP229"


_PROGRAM = """\
import atexit
import csv
import json
import multiprocessing as mp
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

out = None


def start(folder):
    global out
    out = {opens}


def score(number):
    {writes}
    return number % 7


{more}


def main(folder):
    {runs}


if __name__ == "__main__":
    main(sys.argv[1])
"""
_OPENS, _WRITES = 'open(folder + str(os.getpid()), "w")', 'out.write(f"{number}\\n")'
_RUNS = "with mp.Pool(2, start, (folder,)) as pool:\n        pool.map(score, range(9))"
_ROW = 19


def _found(opens: str = _OPENS, writes: str = _WRITES, runs: str = _RUNS, more: str = "") -> list[int]:
    text = _PROGRAM.format(opens=opens, writes=writes, runs=runs, more=more)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP229"]


@pytest.mark.parametrize(
    "opens",
    [
        _OPENS,
        'open(folder, "ab")',
        'open(folder, mode="x", encoding="utf-8")',
        'Path(folder, str(os.getpid())).open("a")',
        '(Path(folder) / "rows.txt").open(mode="w")',
    ],
)
def test_a_file_with_a_buffer(opens: str) -> None:
    assert _found(opens=opens) == [_ROW]


@pytest.mark.parametrize(
    "opens",
    [
        'open(folder, "w", 1)',
        'open(folder, "w", buffering=1)',
        'open(folder, "wb", buffering=0)',
        'Path(folder).open("w", buffering=1)',
        "open(folder)",
        'open(folder, "rb")',
        "open(folder, MODE)",
        "open(folder, **OPTIONS)",
        "opened(folder)",
        "sys.stderr",
    ],
)
def test_a_file_without_a_buffer(opens: str) -> None:
    assert _found(opens=opens, more="from files import MODE, OPTIONS, opened") == []


@pytest.mark.parametrize(
    "writes",
    [
        _WRITES,
        'out.writelines([f"{number}\\n"])',
        "print(number, file=out)",
        "json.dump(number, out)",
        "add(out, number)",
        "if number % 2: out.write(str(number))",
    ],
)
def test_what_writes_to_it(writes: str) -> None:
    more = "def add(file, number):\n    file.write(str(number))"
    assert _found(writes=writes, more=more) == [24 if writes.startswith("add") else _ROW]


@pytest.mark.parametrize(
    "writes",
    [
        "print(number)",
        "print(number, file=sys.stderr)",
        "print(number, file=out, flush=True)",
        "out.write(str(number)); out.flush()",
        "out.write(str(number)); os.fsync(out.fileno())",
        "out.write(str(number)); out.close()",
        "with out: out.write(str(number))",
        'with open(str(number), "w") as file: file.write("1")',
        'file = open(str(number), "w"); file.write("1")',
        "out.name",
        "log.write(number)",
    ],
)
def test_what_flushes_it_or_writes_to_another(writes: str) -> None:
    assert _found(writes=writes) == []


_ROWS = """\
import atexit
import csv
import multiprocessing as mp
import os
from pathlib import Path


class Part:
    def __init__(self, folder):
        self.path = Path(folder) / str(os.getpid())
        self.handle = {opens}
        self.rows = {writer}

    def emit(self, row):
        {emits}

    def finish(self):
        {finish}


parts = {{}}


def start(folder):
    parts["one"] = Part(folder)


def score(number):
    parts["one"].emit({{"number": number}})
    return number


def read(folder):
    with Path(folder).open(newline="") as handle:
        return list(csv.reader(handle))


def main(folder):
    pool = mp.Pool(2, start, (folder,))
    print(pool.map(score, range(9)))
    pool.close()
    pool.join()
    print(read(folder))


if __name__ == "__main__":
    main("parts")
"""


def _in_rows(
    opens: str = 'self.path.open("w", newline="")',
    writer: str = "csv.writer(self.handle)",
    emits: str = "self.rows.writerow([*row.values()])",
    finish: str = "pass",
) -> list[int]:
    text = _ROWS.format(opens=opens, writer=writer, emits=emits, finish=finish)
    return [each.location.start.row for each in lint(text).diagnostics if each.code == "LP229"]


@pytest.mark.parametrize(
    ("writer", "emits"),
    [
        ("csv.writer(self.handle)", "self.rows.writerow([*row.values()])"),
        ("csv.writer(self.handle, delimiter=';')", "self.rows.writerows([[*row.values()]])"),
        ("csv.DictWriter(self.handle, ['number'])", "self.rows.writerow(row)"),
        ("csv.writer(open(self.path, 'a'))", "self.rows.writerow([1])"),
        ("None", "csv.writer(self.handle).writerow([1])"),
        ("[]", "print(row, file=self.handle)"),
    ],
)
def test_rows_that_are_written_by_way_of_something(writer: str, emits: str) -> None:
    assert _in_rows(writer=writer, emits=emits) == [15]


@pytest.mark.parametrize(
    ("opens", "emits", "finish"),
    [
        ('self.path.open("w")', "self.rows.writerow([1]); self.handle.flush()", "pass"),
        ('self.path.open("w")', "self.rows.writerow([1])", "self.handle.close()"),
        ('self.path.open("w", buffering=1)', "self.rows.writerow([1])", "pass"),
        ("opened(self.path)", "self.rows.writerow([1])", "pass"),
        ('self.path.open("w")', "self.rows.append([1])", "pass"),
        ('self.path.open("w")', "with self.handle: self.rows.writerow([1])", "pass"),
        ('self.path.open("w")', "self.rows.writerow([1])", "atexit.register(print)"),
        ('self.path.open("w")', "with self.path.open('a') as file: csv.writer(file).writerow([1])", "pass"),
        ('self.path.open("w")', "csv.writer(open(self.path, 'a')).writerow([1])", "pass"),
    ],
)
def test_rows_that_get_into_the_file(opens: str, emits: str, finish: str) -> None:
    assert _in_rows(opens=opens, emits=emits, finish=finish) == []


@pytest.mark.parametrize(
    ("opens", "writes"),
    [
        ('csv.writer(open(folder + str(os.getpid()), "w"))', "out.writerow([number])"),
        ('csv.DictWriter(open(folder, "w"), ["n"])', 'out.writerow({"n": number})'),
    ],
)
def test_a_writer_alone_is_kept(opens: str, writes: str) -> None:
    assert _found(opens=opens, writes=writes) == [_ROW]
    assert _found(opens=opens, writes=writes, more="def finish(file):\n    file.close()") == []


@pytest.mark.parametrize(
    "more",
    [
        "def finish(_):\n    out.close()",
        "atexit.register(lambda: out.close())",
        "def finish():\n    for file in (out,):\n        file.close()",
        "def finish(file=None):\n    (file or out).flush()",
    ],
)
def test_code_that_may_see_to_it(more: str) -> None:
    assert _found(more=more) == []


_CLOSED = "pool = {pool}\n    pool.map(score, range(9))\n    pool.close()\n    pool.join()"


@pytest.mark.parametrize(
    ("runs", "is_lost"),
    [
        (_RUNS, True),
        (_RUNS.replace("mp.Pool(", "mp.get_context('spawn').Pool("), True),
        (_CLOSED.format(pool="mp.Pool(2, start, (folder,))"), True),
        (_CLOSED.format(pool="mp.get_context('forkserver').Pool(2, start, (folder,))"), True),
        (_CLOSED.format(pool="mp.get_context('spawn').Pool(2, start, (folder,))"), False),
        (_RUNS + "\n        pool.close()\n        pool.join()", True),
        (
            _RUNS.replace("mp.Pool(", "mp.get_context('spawn').Pool(") + "\n        pool.close()\n        pool.join()",
            False,
        ),
        (
            "with ProcessPoolExecutor(2, None, start, (folder,)) as executor:\n"
            "        list(executor.map(score, range(9)))",
            True,
        ),
        (
            "with ProcessPoolExecutor(2, mp.get_context('spawn'), start, (folder,)) as executor:\n"
            "        list(executor.map(score, range(9)))",
            False,
        ),
        ("with mp.pool.ThreadPool(2, start, (folder,)) as pool:\n        pool.map(score, range(9))", False),
        ("start(folder)\n    print([score(number) for number in range(9)])", False),
    ],
)
def test_how_the_workers_end(runs: str, is_lost: bool) -> None:
    assert _found(runs=runs) == [_ROW] * is_lost


_LAZY = """\
import multiprocessing as mp
import os

out = None


def log(number):
{opening}
    out.write(str(number))


def main():
    with mp.Pool(2) as pool:
        pool.map(log, range(9))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("opening", "rows"),
    [
        ("    global out\n    if out is None:\n        out = open(str(os.getpid()), 'w')", [11]),
        ("    out = open(str(os.getpid()), 'w')", []),
        ("    global out\n    if out is None:\n        out = open(str(os.getpid()), 'w', buffering=1)", []),
    ],
)
def test_a_file_that_is_opened_on_first_use(opening: str, rows: list[int]) -> None:
    found = lint(_LAZY.format(opening=opening)).diagnostics
    assert [each.location.start.row for each in found if each.code == "LP229"] == rows


_INHERITED = """\
import multiprocessing as mp

out = None


def log(number):
    if out is not None:
        out.write(str(number))


def main():
    global out
    out = open("log.txt", "w")
    with mp.{context}Pool(2) as pool:
        pool.map(log, range(9))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("context", "methods"),
    [("", ["fork"]), ("get_context('fork').", ["fork"]), ("get_context('spawn').", None)],
)
def test_a_file_that_the_main_process_has_opened(context: str, methods: list[str] | None) -> None:
    found = lint(_INHERITED.format(context=context)).diagnostics
    told = [[method.value for method in each.start_methods] for each in found if each.code == "LP229"]
    assert told == ([methods] if methods is not None else [])


@pytest.mark.parametrize(
    "runs", [_RUNS, _RUNS.replace("pool.map(score, range(9))", "pool.close()\n        pool.join()")]
)
def test_under_which_start_methods_it_is_lost(runs: str) -> None:
    text = _PROGRAM.format(opens=_OPENS, writes=_WRITES, runs=runs, more="")
    found = [each for each in lint(text).diagnostics if each.code == "LP229"]
    assert [len(each.start_methods) for each in found] == ([3] if runs is _RUNS else [])


def test_a_file_that_another_module_keeps(tmp_path: Path) -> None:
    kept = "import os\n\nout = None\n\n\ndef note(row):\n    global out\n    out = out or open(str(os.getpid()), 'w')\n"
    main = changed(_LAZY.format(opening="    note(number)"), ("import os", "from notes import note"))
    files = {"notes.py": f"{kept}    out.write(row)\n", "main.py": changed(main, ("    out.write(str(number))\n", ""))}
    assert [each.code for each in lint_files(tmp_path, files) if each.code == "LP229"] == ["LP229"]


@pytest.mark.parametrize(
    ("pool", "is_asked"), [("Pool(2)", False), ("Pool(2, print)", True), ("Pool(2, *os.sched_getaffinity(0))", True)]
)
def test_no_call_is_asked_for_files_where_none_can_be_kept(
    pool: str, is_asked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def files_written(*given: object) -> tuple[()]:
        asked.append(given)
        return ()

    monkeypatch.setattr(unflushed_files, "files_written", files_written)
    opening = "    out = open(str(os.getpid()), 'w')"
    lint(changed(_LAZY.format(opening=opening), ("Pool(2)", pool)))
    assert bool(asked) is is_asked
