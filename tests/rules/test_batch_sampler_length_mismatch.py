"""LP407: batch-sampler-length-mismatch."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP407"
