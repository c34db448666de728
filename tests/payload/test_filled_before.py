"""What workers would do only if their object had not been filled before."""

from __future__ import annotations

import pytest

from tests.support import lint

PROGRAM = """\
import multiprocessing as mp
import sys

SIZES = {{"a": 1}}


class Columns:
    def __init__(self, names):
        self.names = names
        self.index = {empty}
{made}
    def load(self, path):
        self.names = open(path).read().split()
{loaded}
    def set_index(self):
        {fill} = {{name: SIZES.get(name, 1) for name in self.names}}

    def column(self, name):
        {asked}:
            self.set_index()
        return self.index[name]
{more}

def main():
    columns = Columns(sys.argv[1:])
    columns.load("names.txt")
    with mp.Pool(2) as pool:
        print(pool.map(columns.column, columns.names))


if __name__ == "__main__":
    SIZES["b"] = 2
    main()
"""
LOADED = "        self.set_index()\n"
MADE = "        self.set_index()\n"
IF_MISSING = "if name not in self.index"
IF_NONE = "if self.index is None"
IF_EMPTY = "if not self.index"


def _codes(
    empty: str = "{}",
    made: str = "",
    loaded: str = "",
    fill: str = "self.index",
    asked: str = IF_MISSING,
    more: str = "",
) -> list[str]:
    text = PROGRAM.format(empty=empty, made=made, loaded=loaded, fill=fill, asked=asked, more=more)
    return [each.code for each in lint(text).diagnostics]


@pytest.mark.parametrize(
    "asked", [IF_MISSING, IF_NONE, IF_EMPTY, "if not name in self.index", "if self.names and not self.index"]
)
def test_what_a_method_has_filled_is_not_filled_again(asked: str) -> None:
    assert _codes(loaded=LOADED, asked=asked) == []


def test_what_the_constructor_has_filled() -> None:
    assert _codes(empty="None", made=MADE, asked=IF_NONE) == []


CLOSE = """
    def reset(self):
        self.index = None
"""
LEFT_OUT = """
    def __getstate__(self):
        return {"names": self.names, "index": {}}
"""


@pytest.mark.parametrize(
    ("parts"),
    [
        pytest.param({}, id="nobody fills it"),
        pytest.param({"loaded": "        if self.names:\n            self.set_index()\n"}, id="filled by condition"),
        pytest.param({"loaded": LOADED, "more": LEFT_OUT}, id="it is not sent"),
        pytest.param({"loaded": LOADED, "more": CLOSE, "asked": IF_NONE}, id="it may be taken back"),
        pytest.param(
            {"empty": "None", "made": f"{MADE}        self.index = None\n", "asked": IF_NONE}, id="taken back at once"
        ),
        pytest.param({"loaded": LOADED, "asked": "if name in self.index"}, id="asked the other way round"),
        pytest.param({"loaded": LOADED, "asked": "if name not in self.names"}, id="another attribute"),
        pytest.param({"loaded": LOADED, "fill": "self.columns"}, id="something else is filled"),
        pytest.param({"more": f"\n    def fill(self):\n{LOADED}"}, id="by a method that nobody calls"),
    ],
)
def test_what_workers_fill_is_reported(parts: dict[str, str]) -> None:
    assert "LP210" in _codes(**parts)
