"""LP202: local-function-worker-function."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP202"
