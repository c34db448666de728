"""What fails on some Pythons only is reported if the program runs on one of them, as the first that fails words it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_source
from lintpickle.diagnostics import Confidence, Diagnostic
from lintpickle.settings import SettingsResolver
from tests.support import fixed, marks

TEXT = """\
import argparse, itertools, pathlib, pickle


class Scan:
    def __init__(self, rows):
        self.{attribute} = {value}


pickle.dumps(Scan([1]))
"""
COUNT = "cannot pickle 'itertools.count' object"
SAMPLER = """\
import itertools
from torch.utils.data import DataLoader


def loader(dataset, order):
    return DataLoader(dataset, sampler={})
"""


def _lint(value: str, target: str) -> tuple[Diagnostic, ...]:
    resolver = SettingsResolver(isolated=True, overrides={"target-version": target})
    text = TEXT.format(attribute="held", value=value)
    return lint_source(text, str(Path("example.py").absolute()), resolver=resolver).diagnostics


@pytest.mark.parametrize("target", ["3.10", "3.14", ">=3.11", ">=3.11,<4", "==3.14.*"])
def test_an_iterator_fails_on_the_newest(target: str) -> None:
    (found,) = _lint("itertools.count()", target)
    assert found.error == f"TypeError: {COUNT}"
    newest_alone = target in ("3.14", "==3.14.*")
    assert found.message == f"iterator `itertools.count()` is kept in `Scan.held`: TypeError: {COUNT}" + (
        "" if newest_alone else ", from Python 3.14 on"
    )


@pytest.mark.parametrize("target", [">=3.10,<3.14", "==3.13.*", "<=3.13", "~=3.12.1"])
def test_it_is_fine_on_those_before(target: str) -> None:
    assert not _lint("itertools.count()", target)


@pytest.mark.parametrize(
    ("value", "target", "is_found"),
    [
        ("argparse.ArgumentParser()", ">=3.13", True),
        ("argparse.ArgumentParser()", "3.14", False),
        ("pathlib.Path('.').iterdir()", "==3.12.*", True),
        ("pathlib.Path('.').iterdir()", "==3.13.*", False),
        ("pathlib.Path('.').iterdir()", "3.13", True),
        ("pathlib.Path('.').iterdir()", "3.14", True),
        ("itertools.pairwise(rows)", "==3.10.*", True),
    ],
)
def test_what_fails_on_any_of_them_is_reported(value: str, target: str, is_found: bool) -> None:
    assert bool(_lint(value, target)) == is_found


@pytest.mark.parametrize(
    ("value", "target", "error"),
    [
        ("open('x')", "3.11", "TypeError: cannot pickle '_io.TextIOWrapper' object"),
        ("open('x')", "3.12", "TypeError: cannot pickle 'TextIOWrapper' instances"),
        ("lambda: 1", "3.12", "AttributeError: Can't pickle local object 'Scan.__init__.<locals>.<lambda>'"),
        ("lambda: 1", "3.13", "AttributeError: Can't get local object 'Scan.__init__.<locals>.<lambda>'"),
        (
            "lambda: 1",
            "3.14",
            "_pickle.PicklingError: Can't pickle local object <function Scan.__init__.<locals>.<lambda> at 0x…>",
        ),
    ],
)
def test_errors_are_those_of_the_oldest(value: str, target: str, error: str) -> None:
    (found,) = _lint(value, target)
    assert found.error == error


@pytest.mark.parametrize(
    ("value", "after"),
    [
        ("itertools.count()", "itertools.count()"),
        ("itertools.cycle(rows)", "itertools.cycle(rows)"),
        ("itertools.repeat(rows)", "itertools.repeat(rows)"),
        ("itertools.chain(rows)", "list(itertools.chain(rows))"),
    ],
)
def test_what_never_ends_is_not_put_into_a_list(value: str, after: str) -> None:
    text = TEXT.format(attribute="held", value=value)
    assert fixed(text, unsafe=True) == text.replace(value, after)


@pytest.mark.parametrize(
    ("sampler", "is_used_up"),
    [
        ("iter(order)", True),
        ("itertools.chain(order, order)", True),
        ("itertools.islice(order, 3)", True),
        ("itertools.cycle(order)", False),
        ("itertools.count()", False),
        ("list(itertools.chain(order, order))", False),
    ],
)
def test_samplers_that_are_used_up(sampler: str, is_used_up: bool) -> None:
    assert (marks(SAMPLER.format(sampler)) == [(6, "LP410")]) == is_used_up


LOADED = """\
import itertools

from torch.utils.data import DataLoader, Dataset


class Scan(Dataset):
    def __init__(self):
        self.order = itertools.count()


loader = DataLoader(Scan(), num_workers=2)
"""


@pytest.mark.parametrize(("target", "confidence"), [("3.14", Confidence.CERTAIN), (">=3.11", Confidence.LIKELY)])
def test_what_only_some_of_them_refuse_is_likely(target: str, confidence: Confidence) -> None:
    resolver = SettingsResolver(isolated=True, overrides={"target-version": target})
    found = lint_source(LOADED, str(Path("example.py").absolute()), resolver=resolver).diagnostics
    assert [each.confidence for each in found if each.code == "LP112"] == [confidence]
