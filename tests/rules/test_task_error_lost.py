"""LP234: task-error-lost."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP234"


TASKS = """\
import contextlib
import functools
import logging
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed, wait
from multiprocessing import Pool


def convert(number):
    if number > 2:
        raise ValueError(number)
    return number


def rewrite(number):
    try:
        return 1 / number
    except ZeroDivisionError as error:
        raise RuntimeError("cannot") from error


def careful(number):
    try:
        if number > 2:
            raise ValueError(number)
    except ValueError:
        logging.exception("too large")


def check(number):
    if number > 2:
        raise ValueError(number)


def checked(number):
    check(number)
    return number


def forgiving(number):
    try:
        check(number)
    except ValueError:
        logging.exception("too large")


def written(number):
    with open("numbers", "a") as out:
        if number > 2:
            raise ValueError(number)
        out.write(str(number))


def ignoring(number):
    with contextlib.suppress(ValueError):
        raise ValueError(number)


def place(number, kind=""):
    if kind != "":
        raise ValueError(kind)
    return number


def placed(number):
    return place(number) + place(number, "")


def misplaced(number):
    return place(number, str(number))


def plain(number):
    return number


def later(number):
    raise NotImplementedError


def main():
    results = []
    with Pool(2) as pool, ProcessPoolExecutor(2) as executor, ThreadPoolExecutor(2) as threads:
        {task}
        pool.close()
        pool.join()
    return results


if __name__ == "__main__":
    main()
"""


def _found(task: str) -> list[tuple[str, str]]:
    found = lint(TASKS.format(task=task)).diagnostics
    return [(each.code, each.confidence.value) for each in found]


@pytest.mark.parametrize(
    "task",
    [
        "pool.apply_async(convert, (1,))",
        "pool.apply_async(convert, (1,), callback=results.append)",
        "pool.map_async(convert, [1, 2])",
        "pool.apply_async(rewrite, (1,))",
        "executor.submit(convert, 1)",
        "executor.submit(functools.partial(convert, 1))",
        "executor.map(convert, [1, 2])",
        "for number in range(9):\n            pool.apply_async(convert, args=(number,))",
        "tasks = [executor.submit(convert, number) for number in (1, 2)]",
        "task = pool.apply_async(convert, (1,))\n        task.wait()",
        "pool.apply_async(checked, (1,))",
        "pool.apply_async(written, (1,))",
        "wait([executor.submit(convert, number) for number in (1, 2)])",
        "for task in as_completed({executor.submit(convert, number): number for number in (1, 2)}):\n"
        "            print(task.done())",
    ],
)
def test_an_error_of_which_nobody_hears(task: str) -> None:
    assert _found(task) == [("LP234", "likely")]


@pytest.mark.parametrize(
    "task",
    [
        "pool.apply_async(convert, (1,)).get()",
        "pool.apply_async(convert, (1,), error_callback=print)",
        "pool.map(convert, [1, 2])",
        "results += executor.map(convert, [1, 2])",
        "results.append(pool.apply_async(convert, (1,)))",
        "task = executor.submit(convert, 1)\n        print(task.result())",
        "task = executor.submit(convert, 1)\n        task.add_done_callback(print)",
        "threads.submit(convert, 1)",
        "pool.apply_async(careful, (1,))",
        "pool.apply_async(forgiving, (1,))",
        "pool.apply_async(ignoring, (1,))",
        "for task in as_completed([executor.submit(convert, number) for number in (1, 2)]):\n"
        "            print(task.result())",
        "pool.apply_async(later, (1,))",
        "pool.apply_async(plain, (1,))",
        "pool.apply_async(int, ('x',))",  # gap: that `int` raises is not known
    ],
)
def test_an_error_that_is_raised_or_caught_or_not_there(task: str) -> None:
    assert _found(task) == []


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("checked", "`check` raises `ValueError`"),
        ("misplaced", "`place` raises `ValueError`"),
        ("placed", "`placed` raises an error"),
    ],
)
def test_only_an_error_that_calls_come_to_is_named(task: str, told: str) -> None:
    found = lint(TASKS.format(task=f"pool.apply_async({task}, (1,))")).diagnostics
    assert [told in each.message for each in found] == [True]
    assert any("raises" in step.message for each in found for step in each.trail) is ("ValueError" in told)
