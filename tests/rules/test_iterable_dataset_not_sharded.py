"""LP404: iterable-dataset-not-sharded."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP404"
