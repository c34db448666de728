"""LP901: unused-suppression."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP901"
