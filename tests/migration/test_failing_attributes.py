"""Objects of modules with attributes that are None at import, which main fills. Measured with CPython 3.11: under spawn
a worker gets a TypeError or AttributeError where it uses None as something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

CODE = """\
from multiprocessing import Pool


class Desk:
    def __init__(self):
        self.rates = None
        self.convert = None
        self.spare = {{}}

    def load(self, rates):
        self.rates = rates
        self.convert = len

    def price(self, name):
        return self.rates[name]

    def price_of_all(self, names):
        return [self.price(each) for each in names]

    def spared(self, name):
        return self.spare.get(name)

    def known(self, name):
        return None if self.rates is None else self.rates.get(name)


desk = Desk()


def current():
    return desk


def work(name):
    {use}


def main():
    desk.load({{"a": 1, "b": 2}})
    with Pool(2) as pool:
        print(pool.map(work, ["a", "b"]))


if __name__ == "__main__":
    main()
"""


def said(folder: Path, use: str, without: str = "known") -> Verdict:
    code = CODE.format(use=use)
    if without:  # Where any code asks for it, it may go on without it.
        code = code.replace("None if self.rates is None else self.rates.get(name)", "name")
    return worst(migrated(folder, code))


@pytest.mark.parametrize(
    "use",
    [
        "return desk.rates[name]",
        "return desk.convert(name)",
        "return desk.price(name)",
        "return desk.price_of_all([name])",
        "return current().rates[name]",
        "return current().convert(name)",
        "return current().price(name)",
        "own = current()\n    return own.rates[name]",
        "rates = desk.rates\n    return rates[name]",
        "own = current()\n    rates = own.rates\n    return rates.get(name)",
    ],
)
def test_none_is_no_table_and_no_function(use: str, tmp_path: Path) -> None:
    assert said(tmp_path, use) is Verdict.BREAKS


@pytest.mark.parametrize(
    "use",
    [
        "return desk.rates",
        "return current().rates",
        "return str(current().rates)",
        "return desk.rates[name] if desk.rates else 0",
        "own = current()\n    return own.rates[name] if own.rates is not None else 0",
        "rates = desk.rates\n    rates = rates or {}\n    return rates.get(name)",
        "try:\n        return desk.price(name)\n    except TypeError:\n        return 0",
    ],
)
def test_what_goes_on_with_none_changes(use: str, tmp_path: Path) -> None:
    assert said(tmp_path, use) is Verdict.CHANGES


def test_a_method_that_asks(tmp_path: Path) -> None:
    assert said(tmp_path, "return desk.known(name)", without="") is Verdict.CHANGES


def test_what_is_there_in_every_process(tmp_path: Path) -> None:
    assert said(tmp_path, "return desk.spared(name)") is Verdict.READY
