"""Findings at places to which only Python 2 gets are possible at most."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

ROWS = """\
import h5py
from torch.utils.data import DataLoader, Dataset
{head}

class Rows(Dataset):
    def __init__(self, path):
        self.file = h5py.File(path, "r")
        {init}

    def __len__(self):
        {length}

    def __getitem__(self, index):
        return self.file["rows"][index]


def show(path):
    for batch in DataLoader(Rows(path), num_workers=2):
        print(batch)


if __name__ == "__main__":
    show("rows.h5")
"""
SUM = "self.total = sum(number for number in xrange(4))"


def codes(folder: Path) -> list[str]:
    return [each.code for each in lint_paths([str(folder)], resolver=SettingsResolver(isolated=True)).diagnostics]


def found(folder: Path, head: str = "", **places: str) -> list[str]:
    parts = {"init": "pass", "length": "return 4", **places}
    (folder / "rows.py").write_text(ROWS.format(head=head, **parts))
    return codes(folder)


@pytest.mark.parametrize(
    "places",
    [
        pytest.param({"init": SUM}, id="in the constructor"),
        pytest.param({"init": "for number in xrange(4):\n            print(number)"}, id="what a loop goes through"),
    ],
)
def test_python_3_does_not_get_there(places: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, **places) == []


@pytest.mark.parametrize(
    ("head", "places"),
    [
        pytest.param("", {}, id="nothing of Python 2"),
        pytest.param("", {"length": "return len(xrange(4))"}, id="in another method"),
        pytest.param("", {"init": f"if path is None:\n            {SUM}"}, id="only at times"),
        pytest.param("", {"init": "# like xrange(4)"}, id="a comment"),
        pytest.param("xrange = range\n", {"init": SUM}, id="made here"),
        pytest.param("from compat import xrange\n", {"init": SUM}, id="imported"),
        pytest.param("from six.moves import xrange\n", {"init": SUM}, id="from six"),
        pytest.param("from compat import *\n", {"init": SUM}, id="perhaps imported"),
        pytest.param("try:\n    xrange\nexcept NameError:\n    xrange = range\n", {"init": SUM}, id="put in"),
        pytest.param(
            "import sys\n", {"init": f"if sys.version_info < (3,):\n            {SUM}"}, id="for Python 2 alone"
        ),
    ],
)
def test_python_3_gets_there(head: str, places: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, head, **places) == ["LP110"]


ASK = """\
from multiprocessing import Pool


def ask(names):
    {before}
    with Pool(2) as pool:
        print(pool.map(lambda name: name.title(), names))
    {after}


if __name__ == "__main__":
    ask(["a", "b"])
"""


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        pytest.param("names = raw_input().split()", "pass", [], id="before the call"),
        pytest.param("names = unicode(names).split()", "pass", [], id="a text"),
        pytest.param("pass", "raw_input()", ["LP201"], id="behind the call"),
        pytest.param("names = names or raw_input().split()", "pass", ["LP201"], id="only at times"),
    ],
)
def test_what_stands_before_a_call(before: str, after: str, shown: list[str], tmp_path: Path) -> None:
    (tmp_path / "ask.py").write_text(ASK.format(before=before, after=after))
    assert codes(tmp_path) == shown


SCRIPT = """\
from torch.utils.data import DataLoader
from rows import Rows
{before}
rows = Rows(4)
loader = DataLoader(rows, num_workers=2)
for batch in loader:
    print(batch)
"""
PLAIN = """\
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, size):
        self.rows = {rows}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]
"""


@pytest.mark.parametrize(
    ("before", "rows", "shown"),
    [
        pytest.param("", "list(range(size))", ["LP203"], id="nothing of Python 2"),
        pytest.param("", "[each for each in xrange(size)]", [], id="the constructor of what it loads"),
        pytest.param("for number in xrange(3):\n    print(number)\n", "list(range(size))", [], id="the script itself"),
        pytest.param("if 0:\n    print(xrange(3))\n", "list(range(size))", ["LP203"], id="in a branch"),
        pytest.param("def show():\n    print(xrange(3))\n", "list(range(size))", ["LP203"], id="in a function"),
    ],
)
def test_a_script_that_fails_before_it_starts_workers(before: str, rows: str, shown: list[str], tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text(PLAIN.format(rows=rows))
    (tmp_path / "train.py").write_text(SCRIPT.format(before=before))
    assert codes(tmp_path) == shown


CALLS = "def {name}(rows):\n    return [row for row in xrange(len(rows))]\n"


@pytest.mark.parametrize(
    ("length", "others", "shown"),
    [
        pytest.param("return len(xrange(4))", ["xrange", "xrange"], [], id="and in two other modules"),
        pytest.param("return len(xrange(4))", ["xrange"], ["LP110"], id="and in one other module"),
        pytest.param("return len(xrange(4))", ["range", "range"], ["LP110"], id="and nowhere else"),
        pytest.param("return 4", ["xrange", "xrange", "xrange"], ["LP110"], id="only in other modules"),
    ],
)
def test_a_program_that_was_never_run_by_python_3(
    length: str, others: list[str], shown: list[str], tmp_path: Path
) -> None:
    for number, builtin in enumerate(others):
        (tmp_path / f"other{number}.py").write_text(CALLS.format(name=f"f{number}").replace("xrange", builtin))
    assert found(tmp_path, length=length) == shown


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        ("from types import TupleType\n", []),
        ("from types import ListType, StringType\n", []),
        ("from itertools import chain, izip\n", []),
        ("from urllib import urlencode\n", []),
        ("import sets\n", []),
        ("from types import FunctionType\n", ["LP110"]),
        ("from types import NoneType\n", ["LP110"]),
        ("from itertools import chain\n", ["LP110"]),
        ("from urllib.parse import urlencode\n", ["LP110"]),
        ("try:\n    from urllib import quote\nexcept ImportError:\n    from urllib.parse import quote\n", ["LP110"]),
        ("from string import ascii_letters\n", ["LP110"]),
    ],
)
def test_names_that_the_standard_library_had(head: str, shown: list[str], tmp_path: Path) -> None:
    assert found(tmp_path, head) == shown
