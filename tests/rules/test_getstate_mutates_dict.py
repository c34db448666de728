"""LP603: getstate-mutates-dict."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import indented, rows
from tests.support import marks


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


_EMPTYING = """\
class Holder:
    def __init__(self, path):
        self.path = path
        self.rows = read(path)

    def __getstate__(self):
{body}

    def first(self):
{use}
"""


@pytest.mark.parametrize(
    ("body", "row"),
    [
        ("state = self.__dict__\nstate['rows'] = None\nreturn state", 8),
        ("self.rows = None\nreturn self.__dict__", 7),
        ("self.__dict__['rows'] = None\nreturn self.__dict__", 7),
    ],
)
@pytest.mark.parametrize("use", ["return self.rows[0]", "return self.rows.head()"])
def test_a_getstate_that_empties_the_object(body: str, row: int, use: str) -> None:
    assert rows(_EMPTYING.format(body=indented(body), use=indented(use)), "LP603") == [row]


@pytest.mark.parametrize(
    ("body", "use"),
    [
        ("state = self.__dict__.copy()\nstate['rows'] = None\nreturn state", "return self.rows[0]"),
        ("self.rows = None\nreturn self.__dict__", "if self.rows is None:\n    self.load()\nreturn self.rows[0]"),
        ("self.rows = None\nreturn self.__dict__", "if not self.rows:\n    return 0\nreturn self.rows[0]"),
        ("self.rows = None\nreturn self.__dict__", "self.rows = read(self.path)\nreturn self.rows[0]"),
        ("self.rows = None\nreturn self.__dict__", "return self.rows"),
        ("rows, self.rows = self.rows, None\nself.rows = rows\nreturn self.__dict__", "return self.rows[0]"),
    ],
)
def test_a_getstate_whose_none_does_no_harm(body: str, use: str) -> None:
    assert rows(_EMPTYING.format(body=indented(body), use=indented(use)), "LP603") == []


_CLOSING = """
class Lines:
    def __init__(self, path):
        self.path = path
        self.file = open(path)

    def __getstate__(self):
        state = self.__dict__.copy()
        {closing}
        state["file"] = None
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.file = open(self.path)

    def read(self):
        {read}
"""


@pytest.mark.parametrize(
    ("closing", "read", "fires"),
    [
        ("self.file.close()", "return self.file.readline()", True),
        ("pass", "return self.file.readline()", False),
        ("self.file.close(); self.file = open(self.path)", "return self.file.readline()", False),
        ("state.pop('file')", "return self.file.readline()", False),
        ("self.file.close()", "return self.path", False),
        ("self.file.close()", "self.file = open(self.path)\n        return self.file.readline()", False),
        ("if self.file is not None:\n            self.file.close()", "return self.file.readline()", True),
    ],
)
def test_a_handle_of_the_original_that_is_closed(closing: str, read: str, fires: bool) -> None:
    text = _CLOSING.format(closing=closing, read=read)
    assert ("LP603" in [code for _, code in marks(text)]) is fires
