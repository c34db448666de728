"""LP204: worker-definition-under-main-guard."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP204"


_MADE_GLOBAL = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def prepare(size, *others):
    global scaled, Row, doubled

    def scaled(number):
        return number * size

    class Row:
        pass

    doubled = lambda number: number * 2
    return scaled


def work(row):
    return row


def main():
    multiprocessing.set_start_method("spawn")
    made = prepare(3)
    {crossing}


if __name__ == "__main__":
    main()
"""


def _found(crossing: str, more: str = "", inside: str = "") -> list[tuple[int, str]]:
    text = _MADE_GLOBAL.format(crossing=crossing)
    text = text.replace("    made = prepare(3)\n", f"    made = prepare(3)\n{inside}")
    return marks(text.replace("def work(row)", f"{more}\n\n\ndef work(row)"))


@pytest.mark.parametrize(
    ("crossing", "row"),
    [
        ("multiprocessing.Pool(2).map(made, range(3))", 8),
        ("multiprocessing.Pool(2).map(scaled, range(3))", 8),
        ("multiprocessing.Process(target=scaled, args=(1,)).start()", 8),
        ("ProcessPoolExecutor(2).submit(scaled, 1)", 8),
        ("multiprocessing.Pool(2).map(work, [Row()])", 11),
        ("multiprocessing.Process(target=work, args=(Row,)).start()", 11),
    ],
)
def test_what_a_function_defines_as_a_global(crossing: str, row: int) -> None:
    assert _found(crossing) == [(row, "LP204")]


def test_a_lambda_is_no_name_of_the_module_even_as_a_global() -> None:
    assert [code for _, code in _found("multiprocessing.Pool(2).map(doubled, range(3))")] == ["LP201"]


@pytest.mark.parametrize(
    "more",
    [
        "prepare(2)",
        "def scaled(number):\n    return number",
        "pools = dict(initializer=prepare, initargs=(3,))",
    ],
)
def test_what_workers_have_too(more: str) -> None:
    assert not _found("multiprocessing.Pool(2).map(scaled, range(3))", more)


def test_what_an_initializer_defines() -> None:
    assert not _found("multiprocessing.Pool(2, prepare, (3,)).map(scaled, range(3))")


def test_what_workers_are_not_given() -> None:
    assert not _found("multiprocessing.Pool(2).map(work, [scaled(1)])")
    assert not _found("multiprocessing.get_context('fork').Pool(2).map(scaled, [1])")
