"""LP116: weak-reference-attribute."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP116"
