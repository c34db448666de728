"""LP114: torch-generator-attribute."""

from __future__ import annotations

from tests.pages import PageTests
from tests.rules.held_objects import DATA, codes


class TestPage(PageTests):
    code = "LP114"


def test_a_base_class_with_type_arguments_is_that_class() -> None:
    text = DATA.format(body=" " * 8 + "self.generator = torch.Generator()").replace("(Dataset)", "(Dataset[int])")
    assert codes(text) == ["LP114"]
