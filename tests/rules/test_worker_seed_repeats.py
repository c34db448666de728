"""LP308: worker-seed-repeats."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP308"
