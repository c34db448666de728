"""LP126: hidden-class."""

from __future__ import annotations

import pytest

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP126"


def test_what_must_be_found() -> None:
    pytest.fail("FILL THIS IN: forms of the hazard that the page does not show (`tests.support.marks` lints a text)")


def test_what_must_not_be_found() -> None:
    pytest.fail("FILL THIS IN: code that looks alike and is right")
