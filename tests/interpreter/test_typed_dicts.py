"""Classes of typed dicts: what they make are dicts."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import multiprocessing
from typing import NamedTuple, TypedDict


class Client:
    def __init__(self):
        self.url = "https://example.org"
        self.read = lambda text: text


class Limited(Exception):
    def __init__(self, message, timeout):
        super().__init__(message)
        self.timeout = timeout


class Base(TypedDict):
    name: str


class Options(Base, total=False):
    client: object


def play(name, client=None):
    raise {error}


def start(pool, options):
    pool.apply_async(play, kwds=options).get()


def main():
    {made}
    with multiprocessing.Pool(2) as pool:
        start(pool, options)


if __name__ == "__main__":
    main()
"""
LIMITED = "Limited('slow down', 3)"


@pytest.mark.parametrize(
    "made",
    [
        "options = Options(name='a', client=Client())",
        "options = Options({'name': 'a', 'client': Client()})",
        "options = Options(name='a')\n    options['client'] = Client()",
    ],
)
def test_what_they_hold_is_shipped(made: str) -> None:
    assert marks(TEXT.format(made=made, error="ValueError(name)")) == [(8, "LP102")]


def test_the_worker_that_gets_one_as_its_keywords() -> None:
    assert marks(TEXT.format(made="options = Options(name='a')", error=LIMITED)) == [(13, "LP602")]
    ships = TEXT.format(made="options = Options(name='a', client=Client())", error="client.error")
    raising = ships.replace("self.read = lambda text: text", f"self.error = {LIMITED}")
    assert (13, "LP602") in marks(raising)


@pytest.mark.parametrize(
    "made",
    [
        "options = Options(name='a')",
        "options = Options(name='a', client=Client().url)",
        "options = Options(name='a', client=Client())\n    del options['client']",
        "print(Options(name='a', client=Client()))\n    options = Options(name='a')",
    ],
)
def test_what_they_do_not_hold(made: str) -> None:
    assert marks(TEXT.format(made=made, error="ValueError(name)")) == []
