"""LP201: lambda-worker-function."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import IMPORTS, codes
from tests.support import fixed, lint


class TestPage(PageTests):
    code = "LP201"


def test_what_a_lambda_captures_is_bound_only_when_asked() -> None:
    text = IMPORTS + "def f(d, n):\n    return DataLoader(d, num_workers=1, collate_fn=lambda b: b[:n])\n"
    assert fixed(text, unsafe=False) == text
    after = fixed(text, unsafe=True)
    assert "collate_fn=partial(_collate_fn, n=n)" in after
    assert codes(after.removeprefix(IMPORTS)) == []


CHOSEN = """\
from torch.utils.data import DataLoader


def load(rows, mix, scale):
    {}
    return DataLoader(rows, num_workers=2, collate_fn=collate)
"""


@pytest.mark.parametrize(
    ("choosing", "places"),
    [
        ("collate = (lambda b: mix(b)) if mix else lambda b: scale(b)", [2]),
        ("collate = (lambda b: mix(b)) if mix else len", [0]),
        ("collate = lambda b: scale(b)\n    if mix:\n        collate = lambda b: mix(b)", [0, 0]),
    ],
)
def test_lambdas_of_one_conditional_expression_are_one_finding(choosing: str, places: list[int]) -> None:
    found = [each for each in lint(CHOSEN.format(choosing)).diagnostics if each.code == "LP201"]
    assert [len(each.related) for each in found] == places


CLASS_METHOD = """\
from torch.utils.data import DataLoader


class Scenes(DataLoader):
    @classmethod
    def splits(cls, train, workers=1, **options):
        return cls(train, num_workers={workers}, collate_fn={collate}, **options)


def main():
    for batch in Scenes.splits([1, 2, 3]):
        print(batch)


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("workers", "collate", "fires"),
    [("workers", "lambda rows: rows", True), ("0", "lambda rows: rows", False), ("1", "list", False)],
)
def test_a_loader_that_a_class_method_of_its_class_makes(workers: str, collate: str, fires: bool) -> None:
    found = lint(CLASS_METHOD.format(workers=workers, collate=collate)).diagnostics
    assert ("LP201" in [each.code for each in found]) is fires
