"""What a function makes of a library's class, with functions of its own in it, and returns."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.diagnostics import Confidence, Diagnostic
from lintpickle.settings import SettingsResolver

CODE = """\
from functools import partial
from types import SimpleNamespace

from sklearn.preprocessing import FunctionTransformer
from torch.optim.lr_scheduler import LambdaLR


def build(optimizer, steps):
    def rate(epoch):
        return 1 - epoch / steps

    {kept}
    return {given}
"""


def _found(given: str, kept: str = "", pedantic: bool = True) -> list[Diagnostic]:
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": pedantic})
    return list(lint_source(CODE.format(kept=kept, given=given), "made.py", resolver=resolver).diagnostics)


@pytest.mark.parametrize(
    ("given", "kept", "code"),
    [
        ("LambdaLR(optimizer, lr_lambda=lambda epoch: 1 - epoch / steps)", "", "LP102"),
        ("LambdaLR(optimizer, rate)", "", "LP103"),
        ("made", "made = LambdaLR(optimizer, [rate])", "LP103"),
        ("FunctionTransformer(lambda table: table / steps)", "", "LP102"),
    ],
)
def test_it_is_possible_that_the_callers_ship_it(given: str, kept: str, code: str) -> None:
    assert [(each.code, each.confidence) for each in _found(given, kept)] == [(code, Confidence.POSSIBLE)]
    assert _found(given, kept, pedantic=False) == []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("LambdaLR(optimizer, len)", ""),
        ("steps", "made = LambdaLR(optimizer, rate)"),
        ("LambdaLR(optimizer, rate).state_dict()", ""),
        ("partial(rate, 1)", ""),
        ("SimpleNamespace(rate=rate)", ""),
    ],
)
def test_nothing_that_an_object_of_a_library_holds_is_given(given: str, kept: str) -> None:
    assert _found(given, kept) == []
