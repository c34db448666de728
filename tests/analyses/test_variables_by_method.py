"""LP211: variables of the environment that two methods set and ask for, when the fork server already runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.support import lint

PROFILE = """\
import os
from multiprocessing import Pool


class Settings:
    PREFIX = "PROFILE_"

    @classmethod
    def get(cls, name, default):
        return type(default)(os.environ.get({asked}, default))

    @classmethod
    def put(cls, **values):
        for name, value in values.items():
            os.environ[cls.PREFIX + name] = str(value)


def length(read):
    return len(read)


def profile(read):
    return read[:{used}]


def choose(reads):
    with Pool(2) as pool:
        return max(pool.map(length, reads)) // 2


def main():
    reads = ["ACGT", "GATTACA"]
    {begin}
    {then}
    with Pool(2) as pool:
        print(pool.map(profile, reads))


if __name__ == "__main__":
    main()
"""
CHOSEN = "k = choose(reads)"


def found(
    begin: str = CHOSEN,
    then: str = "Settings.put(K=k)",
    used: str = 'Settings.get("K", 3)',
    asked: str = "cls.PREFIX + name",
) -> list[tuple[str, int]]:
    diagnostics = lint(PROFILE.format(begin=begin, then=then, used=used, asked=asked)).diagnostics
    return [(each.code, len(each.start_methods)) for each in diagnostics if each.code == "LP211"]


@pytest.mark.parametrize("then", ["Settings.put(K=k)", "Settings.put(L=2, K=k)"])
def test_a_variable_that_is_set_when_the_server_runs(then: str) -> None:
    assert found(then=then) == [("LP211", 1)]


@pytest.mark.parametrize(
    ("other", "codes"),
    [
        ("from queue import Queue\n\n\ndef main():\n    Queue().put(1)\n\n\nmain()\n", ["LP211"]),
        ("from profile_reads import Settings\n\n\ndef begin():\n    Settings.put(K=2)\n", []),
    ],
    ids=["of another object", "of the same class"],
)
def test_a_method_of_that_name_that_another_file_calls(tmp_path: Path, other: str, codes: list[str]) -> None:
    parts = {"begin": CHOSEN, "then": "Settings.put(K=k)", "used": 'Settings.get("K", 3)', "asked": "cls.PREFIX + name"}
    (tmp_path / "profile_reads.py").write_text(PROFILE.format(**parts))
    (tmp_path / "other.py").write_text(other)
    found_there = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert [each.code for each in found_there if each.code == "LP211"] == codes


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param({"begin": "k = 3"}, id="before all workers"),
        pytest.param({"begin": "k = max(map(length, reads))"}, id="without workers"),
        pytest.param({"begin": "Settings.put(K=3)", "then": CHOSEN}, id="set before the first pool"),
        pytest.param({"then": "Settings.put(LENGTH=k)"}, id="another variable"),
        pytest.param({"used": "Settings.get('WIDTH', 3)"}, id="another one is asked for"),
        pytest.param({"asked": "name"}, id="another prefix"),
        pytest.param({"used": "2"}, id="not asked for in workers"),
    ],
)
def test_variables_that_workers_have_or_do_not_need(parts: dict[str, str]) -> None:
    assert found(**parts) == []
