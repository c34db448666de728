"""LP219: text-hash-in-worker."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP219"


MAIN = "def main(names):\n    print({body})\n    mp.Process(target=g, args=(names,)).start()\n"


@pytest.mark.parametrize(
    ("hashed", "main"),
    [
        pytest.param("hash(f'{k}')", "hash(names[0])", id="a formatted text"),
        pytest.param("hash(k.lower())", "hash(names[0])", id="what a method of texts gives"),
        pytest.param("hash((k, str(k)))", "hash(names[0])", id="a pair"),
        pytest.param("hash(b'x' + k)", "hash(names[0])", id="a sum"),
        pytest.param("hash(str(k))", "g(names)", id="the same function"),
    ],
)
def test_both_sides_take_the_hash_of_a_text(hashed: str, main: str) -> None:
    assert codes(f"def g(k):\n    return {hashed}\n{MAIN.format(body=main)}") == ["LP219"]


@pytest.mark.parametrize(
    ("hashed", "main"),
    [
        pytest.param("hash(k)", "hash(names[0])", id="nobody knows what it is"),
        pytest.param("hash(str(k))", "len(names)", id="only workers do"),
        pytest.param("hash(len(k))", "hash(names[0])", id="a number"),
        pytest.param("hash((1, int(k)))", "hash(names[0])", id="numbers"),
        pytest.param("k.hash('x')", "hash(names[0])", id="a method of that name"),
    ],
)
def test_nothing_is_said_by_default(hashed: str, main: str) -> None:
    assert codes(f"def g(k):\n    return {hashed}\n{MAIN.format(body=main)}") == []


def test_a_function_of_that_name_is_another_one() -> None:
    text = f"def hash(k):\n    return 1\ndef g(k):\n    return hash('x')\n{MAIN.format(body='g(names)')}"
    assert codes(text) == []
