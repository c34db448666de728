"""LP205: start-method-set-at-import."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP205"
