"""LP113: module-attribute."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP113"
