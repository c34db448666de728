"""Objects in bodies of classes that stand for themselves, given to workers that compare them by `is`, and members of
enumerations. Measured with CPython 3.11: a member is pickled as its value."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

PROGRAM = """\
import enum
import multiprocessing


class Mode({base}):
    FAST = {value}
    SLOW = {value}
    {also}


def work(mode, queue):
    queue.put("fast" if {test} else "slow")


def main():
    queue = multiprocessing.Queue()
    process = multiprocessing.Process(target=work, args=({given}, queue))
    process.start()
    print(queue.get(timeout=5))
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
OBJECT, BY_NAME = "object()", "def __reduce_ex__(self, protocol):\n        return getattr, (type(self), self.name)"


def said(
    folder: Path,
    base: str,
    value: str = OBJECT,
    also: str = "pass",
    test: str = "mode is Mode.FAST",
    given: str = "Mode.FAST",
) -> Verdict:
    return worst(migrated(folder, PROGRAM.format(base=base, value=value, also=also, test=test, given=given)))


def test_an_object_of_a_class_arrives_as_another_one(tmp_path: Path) -> None:
    assert said(tmp_path, "") is Verdict.CHANGES


def test_a_member_whose_value_is_another_object_does_not_arrive(tmp_path: Path) -> None:
    assert said(tmp_path, "enum.Enum") is Verdict.BREAKS


@pytest.mark.parametrize("value", ["enum.auto()", '("f", 1)', "frozenset()"])
@pytest.mark.parametrize("given", ["Mode.FAST", 'Mode["FAST"]'])
def test_members_with_values_that_are_equal_arrive(value: str, given: str, tmp_path: Path) -> None:
    assert said(tmp_path, "enum.Enum", value, given=given) is Verdict.READY


def test_members_that_are_pickled_by_name_arrive(tmp_path: Path) -> None:
    assert said(tmp_path, "enum.Enum", also=BY_NAME) is Verdict.READY


@pytest.mark.parametrize("test", ["mode == 3", "mode is None"])
def test_objects_that_nobody_compares(test: str, tmp_path: Path) -> None:
    assert said(tmp_path, "", test=test) is Verdict.READY


def test_other_values_are_given(tmp_path: Path) -> None:
    assert said(tmp_path, "", given="'fast'") is Verdict.READY
