"""LP244: taken-before-set."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Diagnostic
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP244"


_STATE = """\
TABLE = None


def load(table):
    global TABLE
    TABLE = table


def fill(table):
    TABLE.update(table)


def same(table):
    global TABLE
    TABLE = None
"""
_MAIN = """\
import multiprocessing as mp
import state
from state import load
from tasks import work


def store(table):
    state.TABLE = table


def main():
    with mp.Pool(2, initializer=INITIALIZER, initargs=({1: 2},)) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
"""
_READS = "def work(number):\n    return TABLE[number]\n"
_LATE = _MAIN.replace("from tasks import work\n", "").replace(
    "def main():\n", "def main():\n    from tasks import work\n"
)


def _found(
    folder: Path, tasks: str, initializer: str = "load", state: str = _STATE, main: str = _MAIN
) -> list[Diagnostic]:
    (folder / "state.py").write_text(state)
    (folder / "tasks.py").write_text(tasks)
    (folder / "main.py").write_text(main.replace("INITIALIZER", initializer))
    resolver = SettingsResolver(cwd=folder, isolated=True)
    return [each for each in lint_paths([str(folder)], resolver=resolver).diagnostics if each.code == "LP244"]


@pytest.mark.parametrize(
    ("tasks", "initializer"),
    [
        pytest.param(f"from state import TABLE\n\n\n{_READS}", "load", id="from another module"),
        pytest.param(f"from state import TABLE\n\n\n{_READS}", "state.load", id="an initializer by its module"),
        pytest.param(f"from state import TABLE\n\n\n{_READS}", "store", id="stored as an attribute of the module"),
        pytest.param(
            "from state import TABLE as KEPT\n\n\ndef work(number):\n    return KEPT[number]\n", "load", id="renamed"
        ),
        pytest.param(
            "from state import TABLE\n\n\ndef look(number):\n    return TABLE[number]\n\n\n"
            "def work(number):\n    return look(number)\n",
            "load",
            id="in a function that is called",
        ),
        pytest.param(
            "import state\nfrom state import TABLE\n\n\n"
            "def work(number):\n    state.load({1: 2})\n    return TABLE[number]\n",
            "print",
            id="set by the task",
        ),
        pytest.param(
            "from state import TABLE\n\n\ndef work(number, table=TABLE):\n    return table[number]\n",
            "load",
            id="as a default",
        ),
    ],
)
def test_what_was_taken_before(tasks: str, initializer: str, tmp_path: Path) -> None:
    [found] = _found(tmp_path, tasks, initializer)
    assert "still finds what was there at import" in found.message
    assert len(found.start_methods) == 3


@pytest.mark.parametrize(
    ("tasks", "initializer", "state"),
    [
        pytest.param(
            "import state\n\n\ndef work(number):\n    return state.TABLE[number]\n", "load", _STATE, id="by the module"
        ),
        pytest.param(
            f"from state import TABLE\n\n\n{_READS}", "fill", _STATE.replace("= None", "= {}", 1), id="filled in place"
        ),
        pytest.param(
            "def work(number):\n    from state import TABLE\n    return TABLE[number]\n", "load", _STATE, id="at use"
        ),
        pytest.param(f"from state import TABLE\n\n\n{_READS}", "print", _STATE, id="nobody sets it"),
        pytest.param(f"from state import TABLE\n\n\n{_READS}", "same", _STATE, id="set to the same"),
        pytest.param(
            f"from state import TABLE\n\n\n{_READS}", "load", f"{_STATE}\n\nload({{}})\n", id="set at import, too"
        ),
        pytest.param(
            f"from state import TABLE\n\n\ndef renew(table):\n    global TABLE\n    TABLE = table\n\n\n{_READS}",
            "load",
            _STATE,
            id="the module sets its own",
        ),
        pytest.param(
            "from state import TABLE\n\n\ndef look(number, table=TABLE):\n    return table[number]\n\n\n"
            "def work(number):\n    return look(number, {1: 2})\n",
            "load",
            _STATE,
            id="a default that is not taken",
        ),
    ],
)
def test_what_is_read_when_it_is_used(tasks: str, initializer: str, state: str, tmp_path: Path) -> None:
    assert _found(tmp_path, tasks, initializer, state) == []


def test_a_module_that_workers_import_for_their_first_task_takes_the_new_value(tmp_path: Path) -> None:
    [found] = _found(tmp_path, f"from state import TABLE\n\n\n{_READS}", main=_LATE)
    assert [each.value for each in found.start_methods] == ["fork"]


def test_without_workers_it_is_not_told() -> None:
    text = "RATES = {}\ndef start(rates):\n    global RATES\n    RATES = rates\n"
    text += "def price(rates=RATES):\n    return rates\n"
    assert lint(f"{text}if __name__ == '__main__':\n    start({{1: 2}})\n    print(price())\n").diagnostics == ()
