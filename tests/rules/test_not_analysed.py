"""LP904: not-analysed."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP904"
