"""Mutants are what they are called: one change each, of what a function does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.mutate import ROOT, mutants, tests_of as modules_tests

PATH = Path("lintpickle", "fixes", "toy.py")


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ("return a or b", {"return ((b))", "return ((a))", "return None"}),
        ("if a:\n        pass", {"if (not (a)):\n        pass"}),
        ("return [x for x in a if x]", {"return [x for x in a if True]", "return None"}),
        ("return None", set()),
        ("a = 1", {"a = 2", "pass"}),
        ("f(a)", {"pass"}),
        ('"""Says what it does."""', set()),
        ('raise E("é")', {"pass"}),
        ("match a:\n        case 1:\n            pass", set()),
    ],
)
def test_what_is_changed(body: str, changed: set[str]) -> None:
    source = f'"""é"""\nLIMIT = 3\n\n\ndef f(a, b=1):\n    {body}\n'
    found = {each.applied(source.encode()).decode() for each in mutants(PATH, source)}
    assert found == {source.replace(body, each) for each in changed}


def test_a_mutant_says_where_and_what() -> None:
    (mutant,) = mutants(PATH, "def f(a):\n    f(a)\n")
    assert str(mutant) == "lintpickle/fixes/toy.py:2: without `f(a)`"


def test_each_module_has_its_tests() -> None:
    own = "tests/rules/test_lambda_attribute.py"
    assert modules_tests(Path("lintpickle/rules/lambda_attribute.py")) == (own, "tests/rules/several")
    assert modules_tests(Path("lintpickle/fixes/operators.py")) == ("tests/fixes",)
    assert all((ROOT / test).exists() for test in ("tests/fixes", "tests/rules"))
