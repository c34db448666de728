"""LP900: syntax-error."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP900"
