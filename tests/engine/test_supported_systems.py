"""Projects that are used on Linux alone, with Pythons that fork there."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from lintpickle.commands._group import app

LINUX = "Operating System :: POSIX :: Linux"
FORKED = "Workers are forked, which hides 1 finding: `lintpickle migrate` lists it."
PROGRAM = """\
import multiprocessing


class Job:
    def __init__(self):
        self.key = lambda row: row

    def run(self):
        print(self.key(1))


def main():
    process = multiprocessing.Process(target=Job().run)
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


def _checked(folder: Path, python: str, systems: list[str], program: str = PROGRAM) -> str:
    classifiers = ", ".join(f'"{each}"' for each in ("Programming Language :: Python :: 3", *systems))
    (folder / "pyproject.toml").write_text(
        f'[project]\nname = "jobs"\nversion = "1"\nrequires-python = "{python}"\nclassifiers = [{classifiers}]\n'
    )
    (folder / "main.py").write_text(program)
    return CliRunner().invoke(app, ["check", "--no-cache", str(folder)]).output


def test_what_only_other_start_methods_break_is_counted(tmp_path: Path) -> None:
    output = _checked(tmp_path, ">=3.8,<3.11", [LINUX])
    assert "LP102" not in output
    assert FORKED in output


@pytest.mark.parametrize(
    ("python", "systems"),
    [
        pytest.param(">=3.8", [LINUX], id="Python 3.14 starts a server"),
        pytest.param(">=3.8,<3.15", [LINUX], id="Python 3.14 by its number"),
        pytest.param(">=3.8,<3.11", [], id="no system is named"),
        pytest.param(">=3.8,<3.11", [LINUX, "Operating System :: MacOS"], id="macOS, too"),
        pytest.param(">=3.8,<3.11", ["Operating System :: POSIX"], id="macOS may be meant"),
        pytest.param(">=3.8,<3.11", ["Operating System :: OS Independent"], id="any system"),
    ],
)
def test_others_may_not_be_forked(python: str, systems: list[str], tmp_path: Path) -> None:
    output = _checked(tmp_path, python, systems)
    assert "LP102" in output
    assert "forked, which hides" not in output


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(PROGRAM.replace("multiprocessing.Process", 'multiprocessing.get_context("spawn").Process')),
        pytest.param(PROGRAM.replace("    main()\n", '    multiprocessing.set_start_method("spawn")\n    main()\n')),
    ],
)
def test_a_start_method_that_is_asked_for_counts(program: str, tmp_path: Path) -> None:
    assert "LP102" in _checked(tmp_path, ">=3.8,<3.11", [LINUX], program)


def test_what_is_pickled_when_processes_are_forked_is_told(tmp_path: Path) -> None:
    sent = PROGRAM.replace(
        "    process = multiprocessing.Process(target=Job().run)\n    process.start()\n    process.join()\n",
        "    with multiprocessing.Pool(2) as pool:\n        print(pool.map(str, [Job()]))\n",
    )
    assert "LP102" in _checked(tmp_path, ">=3.8,<3.11", [LINUX], sent)


def test_migrate_judges_it_as_any_other(tmp_path: Path) -> None:
    _checked(tmp_path, ">=3.8,<3.11", [LINUX])
    assert "1 break," in CliRunner().invoke(app, ["migrate", str(tmp_path)]).output
