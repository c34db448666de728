"""LP102: lambda-attribute."""

from __future__ import annotations

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP102"


def test_a_logger_pickles_as_its_name() -> None:
    """`logging.Logger.__reduce__`: nothing that the logger holds is pickled."""
    text = """\
import {0}
import multiprocessing


class Own({0}.{1}):
    def __init__(self):
        self.more = lambda text: self.info(text)


def work(own):
    pass


def main():
    multiprocessing.get_context("spawn").Process(target=work, args=(Own(),)).start()
"""
    assert marks(text.format("logging", "Logger")) == []
    assert [code for _, code in marks(text.format("string", "Template"))] == ["LP102"]
