"""LP305: inherited-handle-in-worker."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP305"
