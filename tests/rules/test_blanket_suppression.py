"""LP902: blanket-suppression."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP902"
