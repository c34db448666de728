"""Objects that tests make and give to code of the program which never calls the method that would start a process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

MONITOR = """\
import multiprocessing


class Monitor:
    def __init__(self, config):
        self.config = config
        self.notify = None

    def begin(self):
        self.start()

    def start(self):
        process = multiprocessing.Process(target=self.watch)
        process.start()

    def watch(self):
        print(self.config)
"""
CHECKER = """\
class Checker:
    def __init__(self, monitor):
        self.monitor = monitor

    def check(self):
        {does}


def checked(monitor):
    return monitor.config
"""
TEST = """\
from unittest import mock

import pytest

from pkg.checker import Checker, checked
from pkg.monitor import Monitor


@pytest.fixture
def monitor():
    monitor = Monitor("config")
    monitor.notify = mock.Mock()
    return monitor


def test_check(monitor):
    {use}
"""
_GIVEN = "checker = Checker(monitor)\n    checker.check()"
_NOTIFIES = "self.monitor.notify(self.monitor.config)"


def _found(folder: Path, test: str, does: str, use: str) -> list[str]:
    files = {
        "pyproject.toml": "[project]\nname = 'pkg'\n",
        "pkg/__init__.py": "",
        "pkg/monitor.py": MONITOR,
        "pkg/checker.py": CHECKER.format(does=does),
        test: TEST.format(use=use),
    }
    return [each.code for each in lint_files(folder, files) if each.code == "LP119"]


@pytest.mark.parametrize(
    ("does", "use", "fires"),
    [
        pytest.param(_NOTIFIES, _GIVEN, False, id="never started"),
        pytest.param(_NOTIFIES, "assert checked(monitor) == 'config'", False, id="given to a function"),
        pytest.param("self.monitor.start()", _GIVEN, True, id="started"),
        pytest.param("self.monitor.begin()", _GIVEN, True, id="started by another method"),
        pytest.param(_NOTIFIES, f"{_GIVEN}\n    monitor.start()", True, id="started by the test"),
        pytest.param(_NOTIFIES, f"{_GIVEN}\n    run(monitor)", True, id="given to what is not known"),
        pytest.param(_NOTIFIES, "checks = [Checker(monitor), monitor]\n    run(checks)", True, id="given on beside it"),
    ],
)
def test_an_object_of_a_test_that_is_given_to_others(tmp_path: Path, does: str, use: str, fires: bool) -> None:
    assert bool(_found(tmp_path, "tests/test_checker.py", does, use)) is fires
