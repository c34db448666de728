"""What a mapping that is made of others holds under a name that is given more than once: the last."""

from __future__ import annotations

import pytest

from tests.support import marks

_TEXT = """\
import collections
import multiprocessing
import threading
from typing import TypedDict


class Settings(TypedDict):
    client: object


def work(settings):
    print(settings)


def main(name, more):
    lock = threading.Lock()
    given = {{"client": lock, "rounds": 3}}
    multiprocessing.Process(target=work, args=({made},)).start()


if __name__ == "__main__":
    main("x", {{}})
"""


@pytest.mark.parametrize(
    ("made", "fires"),
    [
        ("dict(given, client=None)", False),
        ("dict(Settings(client=lock), client=None)", False),
        ("dict([('client', lock)], client=None)", True),  # gap: the names of pairs are not read
        ("collections.OrderedDict(given, client=None)", False),
        ("dict(rounds=4, client=None, **{'other': 1})", False),
        ("{**given, 'client': None}", False),
        ("{**Settings(client=lock), 'client': None}", False),
        ("dict({'client': None}, client=lock)", True),
        ("dict(given, other=None)", True),
        ("dict(given)", True),
        ("dict(given, rounds=None, **more)", True),
        ("{'client': None, **given}", True),
        ("{**given, name: None}", True),
        ("list([lock])", True),
        ("sorted([lock], key=None)", True),
    ],
)
def test_the_last_of_a_name_is_held(made: str, fires: bool) -> None:
    assert [code for _, code in marks(_TEXT.format(made=made))] == ["LP111"] * fires
