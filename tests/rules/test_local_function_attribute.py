"""LP103: local-function-attribute."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP103"
