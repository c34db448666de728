"""LP505: pickle-module-with-weights-only."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.written_to_files import written


class TestPage(PageTests):
    code = "LP505"


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("path, pickle_module=pickle, weights_only=True", ["LP505"]),
        ("path, None, pickle, weights_only=True", ["LP505"]),
        ("path, pickle_module=pickle", []),
        ("path, pickle_module=pickle, weights_only=False", []),
        ("path, pickle_module=None, weights_only=True", []),
        ("path, weights_only=True", []),
    ],
)
def test_pickle_module_and_weights_only_exclude_each_other(arguments: str, found: list[str]) -> None:
    text = f"import pickle\nimport torch\n\n\ndef restore(path):\n    return torch.load({arguments})\n"
    assert [code for _, code in written(text)] == found


def test_another_function_with_such_arguments_is_not_reported() -> None:
    text = "import pickle\nfrom mine import load\n\nload('x', pickle_module=pickle, weights_only=True)\n"
    assert written(text) == []
