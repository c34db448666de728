"""What is read through a descriptor of the class is not the descriptor."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import multiprocessing
import threading


class Section:
    def __init__(self, value):
        self._value = value

    def _get(self):
        return self._value

    made = staticmethod(print)
    plain = property(lambda self: 1)
    read = property(_get)
    quick = property(lambda self: self._value)
    written = property(fset=_get)


class Server(multiprocessing.Process):
    def __init__(self, section):
        super().__init__()
        self.value = EXPRESSION


Server(Section(threading.Lock())).start()
"""


def _codes(expression: str, value: str) -> set[str]:
    text = TEXT.replace("EXPRESSION", expression).replace("threading.Lock()", value)
    return {code for _, code in marks(text)} - {"LP203"}


@pytest.mark.parametrize("expression", ["section.made", "section.plain", "section.written", "Section.made"])
def test_the_descriptor_does_not_cross(expression: str) -> None:
    assert not _codes(expression, "threading.Lock()")


@pytest.mark.parametrize("expression", ["section.read", "section.quick"])
def test_what_a_property_gives_crosses(expression: str) -> None:
    assert _codes(expression, "threading.Lock()") == {"LP111"}
    assert not _codes(expression, "1")


def test_a_descriptor_that_an_object_holds_crosses() -> None:
    assert _codes("property(print)", "1") == {"LP115"}
