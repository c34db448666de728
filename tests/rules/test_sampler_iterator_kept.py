"""LP410: sampler-iterator-kept."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP410"
