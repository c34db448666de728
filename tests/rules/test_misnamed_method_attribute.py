"""LP123: misnamed-method-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import codes


class TestPage(PageTests):
    code = "LP123"


@pytest.mark.parametrize(
    ("assignment", "fires"),
    [
        ("model.features = types.MethodType(features, model)", True),
        ("model.head.features = types.MethodType(features, model.head)", False),  # shown to pedants
        ("model.features = types.MethodType(features, model); other.features(1)", True),
        ("old = model.features; model.features = types.MethodType(features, model)", False),  # the class has it
        ("model.forward = types.MethodType(forward, model)", False),
        ("model.features = types.MethodType(features, other)", False),
        ("model.features = functools.partial(features, model)", False),
    ],
)
def test_methods_of_single_objects(assignment: str, fires: bool) -> None:
    text = f"def features(self, x): ...\ndef forward(self, x): ...\ndef change(model, other):\n    {assignment}\n"
    assert (codes(text) == ["LP123"]) is fires
