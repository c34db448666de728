"""LP262: start-method-already-set."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.support import lint, lint_files, marks

_BEGIN = """\
import multiprocessing as mp
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress


def work(number):
    return number


def main(flag=None, method="spawn"):
"""
_ROWS = _BEGIN.count("\n")


class TestPage(PageTests):
    code = "LP262"


def _rows(*lines: str) -> list[int]:
    """The lines of `main`, from 1 on, that are reported."""
    text = _BEGIN + "".join(f"    {line}\n" for line in lines)
    return [row - _ROWS for row, code in marks(text) if code == "LP262"]


@pytest.mark.parametrize(
    "before",
    [
        "mp.set_start_method('fork')",
        "queue = mp.Queue()",
        "lock = mp.Lock()",
        "count = mp.Value('i')",
        "manager = mp.Manager()",
        "pool = mp.Pool(2)",
        "context = mp.get_context()",
        "executor = ProcessPoolExecutor(2)",
        "process = mp.Process(target=work, args=(1,)); process.start()",
    ],
)
def test_it_comes_too_late_behind_what_takes_the_default(before: str) -> None:
    assert _rows(before, "mp.set_start_method(method)") == [2]
    assert _rows("mp.set_start_method(method)", before) == ([2] if "set_start" in before else [])


@pytest.mark.parametrize(
    "before",
    [
        "lock = threading.Lock()",
        "reader, writer = mp.Pipe()",
        "process = mp.Process(target=work, args=(1,))",
        "context = mp.get_context('spawn')",
        "queue = mp.get_context('spawn').Queue()",
        "executor = ProcessPoolExecutor(2, mp_context=mp.get_context('spawn'))",
        "queue = mp.Queue() if flag else None",
        "count = mp.cpu_count()",
    ],
)
def test_what_does_not_ask_for_the_default_is_no_hazard(before: str) -> None:
    assert _rows(before, "mp.set_start_method(method)") == []


@pytest.mark.parametrize(
    "setting",
    [
        "mp.set_start_method(method, force=True)",
        "mp.set_start_method(method, True)",
        "mp.set_start_method(*flag)",
        "with suppress(RuntimeError): mp.set_start_method(method)",
        "if mp.get_start_method(allow_none=True) is None: mp.set_start_method(method)",
    ],
)
def test_code_that_is_prepared_is_silent(setting: str) -> None:
    assert _rows("queue = mp.Queue()", setting) == []


def test_an_error_that_is_handled_is_none() -> None:
    tried = ("try:", "    mp.set_start_method(method)", "except RuntimeError:", "    pass")
    assert _rows("queue = mp.Queue()", *tried) == []
    assert _rows("queue = mp.Queue()", *tried, "mp.set_start_method(method)") == [6]


def test_branches_of_one_condition_do_not_both_run() -> None:
    assert _rows("if flag:", "    queue = mp.Queue()", "else:", "    mp.set_start_method(method)") == []
    assert _rows("if flag:", "    queue = mp.Queue()", "mp.set_start_method(method)") == []
    assert _rows("queue = mp.Queue()", "if sys.platform == 'darwin':", "    mp.set_start_method(method)") == [3]


def test_each_round_of_a_loop_sets_it_again() -> None:
    assert _rows("for each in ('fork', 'spawn'):", "    mp.set_start_method(each)") == [2]
    assert _rows("for each in ('fork', 'spawn'):", "    mp.set_start_method(each)", "    break") == []
    assert _rows("for each in range(3):", "    if each == 0:", "        mp.set_start_method(method)") == []


_CALLED = """\
import multiprocessing as mp

ready = False


class Runner:
    def __init__(self, workers):
        {setting}
        self.pool = mp.Pool(workers)


def prepare():
    {setting}


def main(many):
    {first}
    if many:
        {second}
"""


@pytest.mark.parametrize(
    ("first", "second", "row"),
    [
        ("prepare()", "prepare()", 13),
        ("Runner(1)", "Runner(2)", 8),
        ("Runner(1)", "prepare()", 13),
        ("prepare()", "Runner(1)", 8),
        ("mp.Queue()", "prepare()", 13),
    ],
)
def test_functions_and_constructors_are_followed(first: str, second: str, row: int) -> None:
    text = _CALLED.format(setting="mp.set_start_method('spawn')", first=first, second=second)
    assert marks(text) == [(row, "LP262")]


def test_once_is_not_twice() -> None:
    text = _CALLED.format(setting="mp.set_start_method('spawn')", first="print(many)", second="Runner(2)")
    assert marks(text) == []


def test_a_flag_may_say_that_it_is_set() -> None:
    text = _CALLED.format(setting="if not ready: mp.set_start_method('spawn')", first="Runner(1)", second="Runner(2)")
    assert marks(text) == []


@pytest.mark.parametrize("made", ["yield mp.Queue()", "await mp.Queue()"])
def test_generators_and_coroutines_do_not_run_where_they_are_called(made: str) -> None:
    text = _CALLED.format(setting="mp.set_start_method('spawn')", first="made()", second="prepare()")
    assert marks(text + f"\n\n{'async ' * ('await' in made)}def made():\n    {made}\n") == []
    assert marks(text + "\n\ndef made():\n    return mp.Queue()\n") == [(13, "LP262")]


def test_callers_may_handle_the_error() -> None:
    text = _CALLED.format(setting="mp.set_start_method('spawn')", first="prepare()", second="again()")
    handled = "\n\ndef again():\n    try:\n        prepare()\n    except RuntimeError:\n        pass\n"
    assert marks(text + handled) == []


def test_it_is_certain_in_a_script_that_always_does_both() -> None:
    text = "import multiprocessing as mp\n\nLOCK = mp.Lock()\n\n\ndef main():\n    mp.set_start_method('spawn')\n"
    called = '\n\nif __name__ == "__main__":\n    main()\n'
    asked = called.replace("main()\n", "if input():\n        main()\n")
    found = [(each.confidence, each.location.start.row) for each in lint(text + called).diagnostics]
    assert found == [(Confidence.CERTAIN, 7)]
    tried = called.replace("main()\n", "try:\n        main()\n    except OSError:\n        pass\n")
    for other in (asked, tried, ""):
        assert [each.confidence for each in lint(text + other).diagnostics] == [Confidence.LIKELY]


def test_imported_modules_have_made_something_before(tmp_path: Path) -> None:
    main = (
        "import multiprocessing as mp\n\nfrom shared import queue\n\n\ndef main():\n    mp.set_start_method('spawn')\n"
        '    print(queue)\n\n\nif __name__ == "__main__":\n    main()\n'
    )
    files = {"main.py": main, "shared.py": "import multiprocessing\n\nqueue = multiprocessing.Queue()\n"}
    found = lint_files(tmp_path / "made", files)
    assert [(each.code, each.location.start.row) for each in found] == [("LP262", 7)]
    files["shared.py"] = "import multiprocessing\n\n\ndef queue():\n    return multiprocessing.Queue()\n"
    assert lint_files(tmp_path / "later", files) == ()


def test_workers_have_one_from_the_beginning() -> None:
    text = (
        "import multiprocessing as mp\n\n\ndef work(number):\n    mp.set_start_method('spawn')\n    return number\n\n\n"
        "def main():\n    with mp.Pool(2) as pool:\n        print(pool.map(work, [1]))\n"
    )
    assert marks(text) == [(5, "LP262")]
    assert marks(text.replace("import multiprocessing as", "import dask as")) == []


def test_notebooks_are_not_read_in_order(tmp_path: Path) -> None:
    cell = '{"cell_type": "code", "source": "import multiprocessing as mp\\nmp.Lock()\\nmp.set_start_method(\'spawn\')"'
    rest = ', "metadata": {}, "outputs": [], "execution_count": null}'
    (tmp_path / "a.ipynb").write_text(
        f'{{"cells": [{cell}{rest}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}'
    )
    assert lint_files(tmp_path, {}) == ()
