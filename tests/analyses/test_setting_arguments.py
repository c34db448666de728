"""Calls that depend on a setting only with an argument (a dialect of csv), or only without one (a generator)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Finding
from lintpickle.settings import SettingsResolver

MAIN = """\
import csv
import multiprocessing

import torch


class Semicolons(csv.excel):
    delimiter = ";"


def work(given):
    {}


def main():
    {}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, ["a|b", "c|d"]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
DIALECT, SEED = 'csv.register_dialect("acme", delimiter="|")', "torch.manual_seed(1)"


def told(folder: Path, work: str, set_up: str) -> list[Finding]:
    (folder / "main.py").write_text(MAIN.format(work, set_up), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return [finding for boundary in found for finding in boundary.findings]


@pytest.mark.parametrize(
    "work",
    [
        'return list(csv.reader([given], dialect="acme"))',
        'return list(csv.reader([given], "acme"))',
        "return list(csv.DictReader([given], dialect=given[:4]))",
        'return csv.get_dialect("acme").delimiter',
        'print(list(csv.reader([given])))\n    return list(csv.reader([given], "acme"))',
    ],
)
def test_an_unknown_dialect_is_an_error(work: str, tmp_path: Path) -> None:
    found = told(tmp_path, work, DIALECT)
    assert [(each.diagnostic.code, each.is_loud) for each in found] == [("LP211", True)]
    assert "there it is not registered" in found[0].diagnostic.message


@pytest.mark.parametrize(
    "work",
    [
        pytest.param("return list(csv.reader([given]))", id="no dialect"),
        pytest.param('return list(csv.reader([given], delimiter="|"))', id="options"),
        pytest.param('return list(csv.reader([given], dialect="excel-tab"))', id="one that is there"),
        pytest.param("return list(csv.reader([given], dialect=csv.excel))", id="a class of csv"),
        pytest.param("return list(csv.reader([given], Semicolons))", id="a class of the program"),
        pytest.param('return list(csv.DictReader([given], ["acme", "x"]))', id="names of fields"),
        pytest.param(
            'csv.register_dialect("acme", delimiter="|")\n    return list(csv.reader([given], "acme"))', id="its own"
        ),
    ],
)
def test_other_reading(work: str, tmp_path: Path) -> None:
    assert told(tmp_path, work, DIALECT) == []


def test_what_lists_them_has_one_less(tmp_path: Path) -> None:
    assert [each.is_loud for each in told(tmp_path, "return csv.list_dialects()", DIALECT)] == [False]


OWN = "g = torch.Generator().manual_seed(len(given))\n    "


@pytest.mark.parametrize(
    "work",
    [
        f"{OWN}return torch.randn(2, 4, generator=g).sum()",
        f"{OWN}return torch.randn((2, 4), generator=g).sum()",
        f"{OWN}return torch.randn(2, generator=g) + torch.randn(3, generator=g)",
        "g = torch.Generator()\n    g.manual_seed(len(given))\n    return torch.randperm(9, generator=g)",
    ],
)
def test_draws_with_a_generator_of_their_own(work: str, tmp_path: Path) -> None:
    assert told(tmp_path, work, SEED) == []


@pytest.mark.parametrize(
    "work",
    [
        "return torch.randn(2, 4).sum()",
        f"{OWN}return torch.randn(2, generator=g) + torch.randn(2)",
        f"{OWN}return torch.randn(2, generator=g) + torch.rand(2)",
    ],
)
def test_other_draws(work: str, tmp_path: Path) -> None:
    assert [each.diagnostic.code for each in told(tmp_path, work, SEED)] == ["LP211"]


def test_where_decimals_are_divided_is_pointed_at(tmp_path: Path) -> None:
    work = "rest, due = Decimal(given), Decimal(0)\n    due += rest / 12\n    return due"
    code = MAIN.format(work, "decimal.getcontext().prec = 6")
    (tmp_path / "main.py").write_text(f"import decimal\nfrom decimal import Decimal\n{code}", encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=tmp_path, overrides={"target-version": "==3.11"})
    found = migrate([str(tmp_path)], resolver, StartMethod.SPAWN, "3.11").boundaries
    places = [each.diagnostic.location.start.row for boundary in found for each in boundary.findings]
    assert places == [1 + code[: code.index("due += ")].count("\n") + 2]
