"""LP303: constant-worker-seed."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP303"
