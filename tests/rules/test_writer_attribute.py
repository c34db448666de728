"""LP117: writer-attribute."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP117"
