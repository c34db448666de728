"""LP903: unknown-suppression."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP903"
