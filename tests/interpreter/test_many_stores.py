"""Functions that give an object to many calls of its own methods."""

from __future__ import annotations

import pytest

from tests.support import lint

_READING = """\
import multiprocessing as mp


class Reader:
    def __init__(self, path):
        self.path = path
        self.name = path

    def get(self, name, number):
        return name, number


def read(path):
    reader = Reader(path)
    rows = []
{calls}
    return rows, {given}


if __name__ == "__main__":
    with mp.Pool(2) as pool:
        print(pool.map(read, ["a"]))
"""


@pytest.mark.parametrize(("given", "codes"), [("path", []), ("lambda: reader", ["LP206"])])
def test_the_search_does_not_go_deeper_with_each_call(given: str, codes: list[str]) -> None:
    calls = "\n".join(f"    rows.append(reader.get(reader.name, {number}))" for number in range(150))
    found = lint(_READING.format(calls=calls, given=given))
    assert not found.defects
    assert [each.code for each in found.diagnostics] == codes
