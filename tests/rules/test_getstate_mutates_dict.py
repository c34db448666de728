"""LP603: getstate-mutates-dict."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import indented, rows


class TestPage(PageTests):
    code = "LP603"


STATE = """\
class Holder:
    def __init__(self, path):
        self.path = path
        self.lock = make_lock()

    def __getstate__(self):
{body}

    def use(self):
        return self.lock
"""


@pytest.mark.parametrize(
    "body",
    [
        "state = self.__dict__\nstate.pop('lock')\nreturn state",
        "state = self.__dict__\nstate.pop('lock', None)\nreturn state",
        "del self.__dict__['lock']\nreturn self.__dict__",
        "delattr(self, 'lock')\nreturn self.__dict__",
    ],
)
def test_a_getstate_that_takes_from_the_object(body: str) -> None:
    assert rows(STATE.format(body=indented(body)), "LP603") == [8 if "state = " in body else 7]


@pytest.mark.parametrize(
    "body",
    [
        "state = self.__dict__.copy()\nstate.pop('lock')\nreturn state",
        "state = dict(self.__dict__)\ndel state['lock']\nreturn state",
        "state = {**self.__dict__}\ndel state['lock']\nreturn state",
        "state = vars(self).copy()\ndel state['lock']\nreturn state",
        "return self.__dict__",
        "del self.path\nreturn self.__dict__",
        "return {key: value for key, value in self.__dict__.items() if key != 'lock'}",
    ],
)
def test_a_getstate_that_leaves_the_object_as_it_is(body: str) -> None:
    assert rows(STATE.format(body=indented(body)), "LP603") == []
