"""LP403: worker-option-without-workers."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP403"
