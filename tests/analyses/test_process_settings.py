"""Which settings count as made: those of contexts that the program enters."""

from __future__ import annotations

import pytest

from tests.support import lint

CLASS = """\
import csv
import multiprocessing as mp


class LongFields:
    def __enter__(self):
        self.old = csv.field_size_limit(10 ** 9)

    def __exit__(self, *error):
        csv.field_size_limit(self.old)
"""

FUNCTION = """\
import contextlib
import csv
import multiprocessing as mp


@contextlib.contextmanager
def LongFields():
    old = csv.field_size_limit(10 ** 9)
    yield
    csv.field_size_limit(old)
"""

PROGRAM = """

def rows(text):
    return list(csv.reader([text]))


def run():
    with mp.get_context("spawn").Pool(2) as pool:
        print(pool.map(rows, ["a,b"]))


def main():
    {}


if __name__ == "__main__":
    main()
"""

TOLD = {("LP211", "_csv.Error: field larger than field limit (131072)")}


def found(code: str) -> set[tuple[str, str | None]]:
    return {(each.code, each.error) for each in lint(code).diagnostics if each.code == "LP211"}


@pytest.mark.parametrize("manager", [CLASS, FUNCTION])
def test_a_context_that_nobody_enters_sets_nothing(manager: str) -> None:
    assert found(manager + PROGRAM.format("run()")) == set()


def test_its_own_header_does_not_make_one() -> None:
    derived = CLASS.replace("class LongFields:", "class LongFields(contextlib.AbstractContextManager):")
    assert found("import contextlib\n" + derived + PROGRAM.format("run()")) == set()


@pytest.mark.parametrize(
    "entering",
    [
        "with LongFields(): run()",
        "manager = LongFields()\n    with manager: run()",
        "LongFields().__enter__()\n    run()",
        "stack = contextlib.ExitStack()\n    stack.enter_context(LongFields())\n    run()",
        "manager = {'long': LongFields}['long']\n    with manager(): run()",
    ],
)
def test_a_context_that_is_entered_does(entering: str) -> None:
    assert found("import contextlib\n" + CLASS + PROGRAM.format(entering)) == TOLD


def test_a_function_that_is_entered_does() -> None:
    assert found(FUNCTION + PROGRAM.format("with LongFields(): run()")) == TOLD


def test_a_class_that_derives_from_it_may_be_entered() -> None:
    derived = CLASS + "\n\nclass LongRows(LongFields):\n    pass\n"
    assert found(derived + PROGRAM.format("manager = LongRows()\n    manager.__enter__()\n    run()")) == TOLD
