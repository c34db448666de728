"""LP201: lambda-worker-function."""

from __future__ import annotations

from tests.pages import PageTests
from tests.rules.worker_functions import IMPORTS, codes
from tests.support import fixed


class TestPage(PageTests):
    code = "LP201"


def test_what_a_lambda_captures_is_bound_only_when_asked() -> None:
    text = IMPORTS + "def f(d, n):\n    return DataLoader(d, num_workers=1, collate_fn=lambda b: b[:n])\n"
    assert fixed(text, unsafe=False) == text
    after = fixed(text, unsafe=True)
    assert "collate_fn=partial(_collate_fn, n=n)" in after
    assert codes(after.removeprefix(IMPORTS)) == []
