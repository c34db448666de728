"""LP605: reduce-names-local."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP605"
