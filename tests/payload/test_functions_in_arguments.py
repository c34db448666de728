"""Functions that an argument holds, and that what workers begin with calls."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import multiprocessing

STATE = None


class Setting:
    def __init__(self, size):
        self.size = size

    def __call__(self):
        self.apply()

    def apply(self):
        global STATE
        STATE = self.size


def other():
    print("ready")


def init(steps):
    {run}


def task(row):
    return STATE + row


def main():
    setting = Setting(3)
    setting.apply()
    {given}
    with multiprocessing.Pool(2, initializer=init, initargs=(steps,)) as pool:
        print(pool.map(task, [1, 2]))


if __name__ == "__main__":
    main()
"""
LOOP = "for step in steps:\n        step()"


def _found(given: str, run: str = LOOP) -> bool:
    return [code for _, code in marks(PROGRAM.format(given=given, run=run))] == ["LP208"]


@pytest.mark.parametrize(
    ("given", "run"),
    [
        ("steps = [setting.apply]", LOOP),
        ("steps = [other, setting.apply]", LOOP),
        ("steps = (other, setting)", LOOP),
        ("steps = []\n    steps.append(setting.apply)", LOOP),
        ("steps = {'a': setting.apply}", "for step in steps.values():\n        step()"),
        ("steps = [setting.apply]", "steps[0]()"),
        ("steps = setting.apply", "steps()"),
    ],
)
def test_what_is_called_in_workers(given: str, run: str) -> None:
    assert not _found(given, run)


@pytest.mark.parametrize(
    ("given", "run"),
    [
        ("steps = [other]", LOOP),
        ("steps = [setting.apply]", "print(len(steps))"),
        ("steps = [setting]", "print(steps)"),
    ],
)
def test_what_is_not(given: str, run: str) -> None:
    assert _found(given, run)


def test_gap_functions_beside_other_things() -> None:
    # gap: a container that holds data, too, is not bound: constants may differ from one start to the next
    assert _found("steps = [(setting.apply, 3)]", "for step, number in steps:\n        step()")
