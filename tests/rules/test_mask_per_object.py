"""LP411: mask-per-object."""

from __future__ import annotations

from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP411"
