"""LP405: iterable-dataset-with-sampler."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP405"
