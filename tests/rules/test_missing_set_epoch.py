"""LP408: missing-set-epoch."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP408"
