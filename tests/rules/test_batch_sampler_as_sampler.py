"""LP401: batch-sampler-as-sampler."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP401"
