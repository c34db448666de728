"""LP204: worker-definition-under-main-guard."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP204"
