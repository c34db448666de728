"""Code that is meant to fail."""

from __future__ import annotations

import pytest

from tests.support import marks

SUBMIT = """\
import pytest
from concurrent.futures import ProcessPoolExecutor


def test_it():
    def local():
        pass

    with ProcessPoolExecutor() as executor:
        future = executor.submit(local)
{}
"""


def _found(rest: str) -> bool:
    return any(code == "LP202" for _, code in marks(SUBMIT.format(rest)))


@pytest.mark.parametrize(
    "rest",
    [
        "        with pytest.raises(AttributeError):\n            future.result()",
        "    with pytest.raises(AttributeError, match='local'):\n        print(future.result(timeout=9))",
    ],
)
def test_a_result_that_is_expected_to_raise(rest: str) -> None:
    assert not _found(rest)


@pytest.mark.parametrize(
    "rest",
    [
        "        print(future.result())",
        "        with pytest.raises(ValueError):\n            future.cancel()",
        "        with pytest.raises(ValueError):\n            executor.submit(print).result()\n        future.result()",
    ],
)
def test_a_result_that_is_not(rest: str) -> None:
    assert _found(rest)
