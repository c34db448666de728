"""LP112: generator-attribute."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP112"
