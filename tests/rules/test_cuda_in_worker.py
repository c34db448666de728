"""LP307: cuda-in-worker."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP307"
