"""LP603: getstate-mutates-dict."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import indented, rows
from tests.support import fixed, marks


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
        "state = vars(self)\nstate.pop('lock', None)\nreturn state",
        "state = vars(self)\ndel state['lock']\nreturn state",
        "state = super().__getstate__()\nstate.pop('lock', None)\nreturn state",
        "state = super().__getstate__()\ndel state['lock']\nreturn state",
        "del vars(self)['lock']\nreturn self.__dict__",
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
        "state = super().__getstate__().copy()\ndel state['lock']\nreturn state",
        "state = dict(vars(self))\nstate.pop('lock')\nreturn state",
        "state = vars(self) | {}\ndel state['lock']\nreturn state",
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


_MIXIN = """\
import pickle


class Persistent:
    transient = ()

    def __getstate__(self):
{body}

    def snapshot(self):
        return pickle.dumps(self)


class Tracker(Persistent):
    transient = ("index", "cache")

    def __init__(self, path):
        self.path = path
        self.index = read(path)

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.index = read(self.path)

    def find(self, key):
        return self.index[key]


tracker = Tracker("rows")
tracker.snapshot()
print(tracker.find(3))
"""


@pytest.mark.parametrize(
    ("body", "row"),
    [
        ("state = vars(self)\nfor name in self.transient:\n    state.pop(name, None)\nreturn state", 10),
        ("state = self.__dict__\nfor name in self.transient:\n    state.pop(name, None)\nreturn state", 10),
        ("state = self.__dict__\nfor name in ('index',):\n    del state[name]\nreturn state", 10),
        ("for name in self.transient:\n    self.__dict__.pop(name, None)\nreturn self.__dict__", 9),
        ("state = vars(self)\nfor name in self.__class__.transient:\n    del state[name]\nreturn state", 10),
        ("for name in self.transient:\n    delattr(self, name)\nreturn vars(self)", 9),
        ("state = super().__getstate__()\nstate.pop('index')\nreturn state", 9),
        ("del self.index\nreturn vars(self)", 8),
        ("self.index = None\nreturn vars(self)", 8),
    ],
)
def test_a_hook_that_a_class_inherits(body: str, row: int) -> None:
    assert rows(_MIXIN.format(body=indented(body)), "LP603") == [row]


@pytest.mark.parametrize(
    "body",
    [
        "state = vars(self).copy()\nfor name in self.transient:\n    state.pop(name, None)\nreturn state",
        "state = vars(self)\nfor name in self.others:\n    state.pop(name, None)\nreturn state",
        "state = vars(self)\nfor name in Persistent.transient:\n    state.pop(name, None)\nreturn state",
        "return {k: v for k, v in vars(self).items() if k not in self.transient}",
    ],
)
def test_a_hook_that_takes_nothing_from_its_heirs(body: str) -> None:
    assert rows(_MIXIN.format(body=indented(body)), "LP603") == []


def test_the_dict_of_an_inherited_hook_may_be_a_copy() -> None:
    body = "state = super().__getstate__()\nstate.pop('index')\nreturn state"
    for base, found in (("vars(self)", [14]), ("dict(vars(self))", []), ("self.__dict__", [14])):
        text = _MIXIN.format(body=indented(body)).replace("class Persistent:", "class Persistent(Base):")
        before = f"class Base:\n    def __getstate__(self):\n        return {base}\n\n\n"
        assert rows(text.replace("class Persistent(", f"{before}class Persistent("), "LP603") == found


def test_the_copy_is_made_where_the_dict_is_taken() -> None:
    body = indented("state = vars(self)\nstate.pop('lock', None)\nreturn state")
    assert "state = vars(self).copy()\n" in fixed(STATE.format(body=body), unsafe=False)


CONVERTS = """\
class Holder:
    def __init__(self, path):
        self.path = path
        self.table = make_table(path)

    def __getstate__(self):
{hook}

    def __setstate__(self, state):
{back}

    def use(self):
        return self.table.rows
"""
_TURNED_BACK = "self.__dict__.update(state)\nself.table = Table.of(self.table)"


@pytest.mark.parametrize(
    ("hook", "back"),
    [
        ("self.table = self.table.to_bytes()\nreturn self.__dict__", _TURNED_BACK),
        ("state = self.__dict__\nstate['table'] = dump(self.table)\nreturn state", _TURNED_BACK),
        ("state = self.__dict__\nstate['table'] = dump(state['table'])\nreturn state", _TURNED_BACK),
        (
            "self.table = str(self.table)\nreturn self.__dict__",
            "state['table'] = load(state['table'])\nself.__dict__ = state",
        ),
        (
            "table = self.__dict__.get('table')\n"
            "if table is not None:\n    self.__dict__['table'] = table()\nreturn self.__dict__",
            "self.table = load(state.pop('table'))\nself.__dict__.update(state)",
        ),
    ],
)
def test_a_getstate_that_converts_what_the_object_holds(hook: str, back: str) -> None:
    assert len(rows(CONVERTS.format(hook=indented(hook), back=indented(back)), "LP603")) == 1


@pytest.mark.parametrize(
    ("hook", "back"),
    [
        ("state = self.__dict__.copy()\nstate['table'] = dump(self.table)\nreturn state", _TURNED_BACK),
        ("self.table = dump(self.table)\nreturn self.__dict__", "self.__dict__.update(state)"),
        ("self.table = dump(self.path)\nreturn self.__dict__", _TURNED_BACK),
        ("self.table = dump(self.table)\nreturn self.__dict__", "self.table = make_table(state['path'])"),
        (
            "table = self.table\nself.table = dump(table)\n"
            "state = self.__dict__.copy()\nself.table = table\nreturn state",
            _TURNED_BACK,
        ),
    ],
)
def test_a_getstate_that_leaves_the_object_usable(hook: str, back: str) -> None:
    assert rows(CONVERTS.format(hook=indented(hook), back=indented(back)), "LP603") == []
