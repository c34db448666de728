"""LP622: overridden-method."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, marks


class TestPage(PageTests):
    code = "LP622"


_PROGRAM = """\
import copy
import functools
import multiprocessing
import pickle

import cloudpickle


class Base:
    def __init__(self):
        self.run_later = None

    def encode(self, row=1):
        return row

    def run(self, function, row):
        multiprocessing.Process(target=function, args=(row,)).start()


class Masked(Base):
    def encode(self, row=1):
        return 0

    def start(self, row):
        multiprocessing.Process(target=super().encode, args=(row,)).start()


Masked().start(1)
"""
_START = "multiprocessing.Process(target=super().encode, args=(row,)).start()"


def codes(text: str) -> list[str]:
    return [code for _, code in marks(text) if code == "LP622"]


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(_START, id="the target"),
        pytest.param("self.run(super().encode, row)", id="handed on"),
        pytest.param("self.run(super(Masked, self).encode, row)", id="with the class"),
        pytest.param(
            "function = super().encode\n        multiprocessing.Process(target=function).start()", id="a variable"
        ),
        pytest.param("multiprocessing.Pool(2).map(super().encode, row)", id="a task"),
        pytest.param(
            "self.run_later = super().encode\n        multiprocessing.Process(target=print, args=(self,)).start()",
            id="kept on the object",
        ),
        pytest.param("return pickle.dumps(super().encode)", id="pickled"),
    ],
)
def test_a_method_of_the_base_class_crosses(start: str) -> None:
    assert codes(changed(_PROGRAM, (_START, start))) == ["LP622"]


@pytest.mark.parametrize(
    "start",
    [
        pytest.param("multiprocessing.Process(target=self.encode, args=(row,)).start()", id="its own"),
        pytest.param("multiprocessing.Process(target=super().run, args=(row,)).start()", id="one that it inherits"),
        pytest.param(
            "multiprocessing.Process(target=functools.partial(Base.encode, self), args=(row,)).start()",
            id="the function with the object",
        ),
        pytest.param("multiprocessing.Process(target=Base.encode, args=(self, row)).start()", id="the function"),
        pytest.param("return copy.deepcopy(super().encode)", id="copied"),
        pytest.param("return cloudpickle.dumps(super().encode)", id="sent by value"),
        pytest.param("return super().encode(row)", id="called"),
    ],
)
def test_nothing_is_said(start: str) -> None:
    assert codes(changed(_PROGRAM, (_START, start))) == []
