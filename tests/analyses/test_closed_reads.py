"""LP208: reads that workers do not get to, and those whose value makes no difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.support import marks

BOARD = """\
import multiprocessing
import time

board = None
started = 0
verbose = False


def open_board(path):
    global board, started
    board = open(path, "w")
    started = time.monotonic_ns()


def log_duration(name, since):
    {read}


def work(number):
    begun = time.monotonic_ns()
    log_duration("work", begun)
    return number


def main():
    {first}
    open_board("times.txt")
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, range(4)))


if __name__ == "__main__":
    main()
"""
WRITE = 'board.write(f"{name} {since - started}\\n")'


@pytest.mark.parametrize(
    ("read", "first", "shown"),
    [
        pytest.param(f"if board:\n        {WRITE}", "pass", [], id="asked before"),
        pytest.param(f"if board is not None:\n        {WRITE}", "pass", [], id="asked whether it is None"),
        pytest.param(f"if board is None:\n        return\n    {WRITE}", "pass", [], id="left before"),
        pytest.param("print(name, since - started)", "pass", ["LP208"], id="asked nothing"),
        pytest.param("if not verbose:\n        print(name, since - started)", "pass", ["LP208"], id="as at import"),
        pytest.param(f"if board:\n        {WRITE}\n    print(started)", "pass", ["LP208"], id="read elsewhere, too"),
        pytest.param(
            "if name:\n        print(name, since - started)", "pass", ["LP208"], id="of what is asked nothing is known"
        ),
    ],
)
def test_what_is_asked_before_has_the_answer_of_the_import(read: str, first: str, shown: list[str]) -> None:
    found = [
        code for _, code in marks(BOARD.format(read=read, first=first)) if code != "LP229"
    ]  # what forked ones lose
    assert found == shown


PRUNE = """\
import multiprocessing

from config import options


def step(weights):
    if {asked}:
        if DEBUG:
            print("options are set")
        return sorted(weights)
    return weights


if __name__ == "__main__":
    {sets}
    DEBUG = 0
    process = multiprocessing.Process(target=step, args=([3, 1],))
    process.start()
    process.join()
"""
CONFIG = "from types import SimpleNamespace\n\n\nclass Modes:\n    plain = 0\n\n\noptions = SimpleNamespace()\n"
CONFIG += "options.prune = SimpleNamespace()\noptions.prune.mode = {mode}\n"


@pytest.mark.parametrize(
    ("asked", "sets", "mode", "shown"),
    [
        pytest.param(
            "options.prune.mode == 1", "options.prune.mode = 1", "Modes.plain", [], id="only main makes it so"
        ),
        pytest.param("options.prune.mode == 1", "options.prune.mode = 1", "1", ["LP208"], id="the import does, too"),
        pytest.param("options.prune.mode == 1", "pass", "Modes.plain", ["LP208"], id="nobody is seen to set it"),
        pytest.param(
            "options.prune.mode != 1", "options.prune.mode = 1", "Modes.plain", ["LP208"], id="main makes it another"
        ),
    ],
)
def test_an_attribute_that_only_the_main_guard_sets(
    asked: str, sets: str, mode: str, shown: list[str], tmp_path: Path
) -> None:
    (tmp_path / "config.py").write_text(CONFIG.format(mode=mode))
    (tmp_path / "prune.py").write_text(PRUNE.format(asked=asked, sets=sets))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found if each.code == "LP208"] == shown


NET = """\
import multiprocessing

import config


class Net:
    def __init__(self):
        self.top = config.top
        {then}

    def score(self, votes):
        return self.top, votes


def work(votes):
    return Net().score(votes)


def main():
    config.top = "top-5"
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, range(4)))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("then", "shown"),
    [
        pytest.param("if self.top is None:\n            self.top = 'top-5'", [], id="the same"),
        pytest.param("if not self.top:\n            self.top = 'top-5'", [], id="the same for what is false"),
        pytest.param("if self.top is None:\n            self.top = 'top-1'", ["LP208"], id="something else"),
        pytest.param("if self.top is None:\n            raise ValueError", ["LP208"], id="an error"),
        pytest.param("pass", ["LP208"], id="nothing"),
    ],
)
def test_what_a_function_puts_in_where_nothing_is_set(then: str, shown: list[str], tmp_path: Path) -> None:
    (tmp_path / "config.py").write_text("top = None\n")
    (tmp_path / "net.py").write_text(NET.format(then=then))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found] == shown


CALIBRATE = """\
import config


def main():
    config.devices = "7"
    print(config.devices)


if __name__ == "__main__":
    main()
    config.devices = "5"
"""
TRAIN = """\
import config
from nets import build
from run import start


def parse(options):
    if options:
        config.devices = options[0]


if __name__ == "__main__":
    parse(["0"])
    start(build)
"""
RUN = """\
import multiprocessing


def start(target):
    process = multiprocessing.Process(target=target)
    process.start()
    process.join()
"""


def test_the_trail_names_what_the_program_sets_that_starts_the_workers(tmp_path: Path) -> None:
    files = {
        "config.py": "devices = '0,1'\n",
        "nets.py": "import os\n\nimport config\n\n\ndef build():\n    os.environ['DEVICES'] = config.devices\n",
        "calibrate.py": CALIBRATE,
        "run.py": RUN,
        "train.py": TRAIN,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found] == ["LP208"]
    steps = {Path(step.location.path).name for step in found[0].trail}
    assert "train.py" in steps
    assert "calibrate.py" not in steps
