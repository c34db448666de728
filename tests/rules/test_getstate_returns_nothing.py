"""LP609: getstate-returns-nothing."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP609"


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("state = dict(vars(self))\n        state.pop('lock', None)", True),
        ("state = super().__getstate__()\n        del state['lock']", True),
        ("state = self.__dict__.copy()\n        return state.update(lock=None)", True),
        ("state = self.__dict__.copy()\n        return state", False),
        ("if self.name:\n            return self.__dict__\n        return {}", False),
        ("return None", False),
        ("pass", False),
        ("raise TypeError('no state')", False),
        ("return dict(name=self.name)", False),
        ("state = self.__dict__\n        if state:\n            return state", False),
    ],
)
def test_what_getstate_gives(body: str, fires: bool) -> None:
    text = f"""
class Job:
    def __init__(self, name):
        self.name = name

    def __getstate__(self):
        {body}
"""
    assert ([code for _, code in marks(text)] == ["LP609"]) is fires


def test_an_object_without_attributes_has_nothing_to_lose() -> None:
    assert marks("class Job:\n    def __getstate__(self):\n        state = self.__dict__.copy()\n") == []


def test_a_reducer_decides() -> None:
    text = """
class Job:
    def __init__(self, name):
        self.name = name

    def __getstate__(self):
        state = self.__dict__.copy()

    def __reduce__(self):
        return (Job, (self.name,))
"""
    assert marks(text) == []


_CACHED = """
import pickle

class Persistent:
    _transient = ()

    def __getstate__(self):
        state = {{k: v for k, v in self.__dict__.items() if k not in self._transient}}
        {end}

    def __setstate__(self, state):
        self.__dict__.update(state)
        for name in self._transient:
            setattr(self, name, {{}})

class Material(Persistent):
    _transient = ("seen",)

    def __init__(self):
        self.seen = {{}}
        {init}

    def score(self, board):
        return self.seen.setdefault(board, 1)

pickle.dumps(Material())
"""


@pytest.mark.parametrize(
    ("end", "init", "fires"),
    [
        ("return state or None", "", True),
        ("return state if state else None", "", True),
        ("if not state:\n            return None\n        return state", "", True),
        ("if not state:\n            return\n        return state", "", True),
        ("if state:\n            return state", "", True),
        ("return state", "", False),
        ("return state or {}", "", False),
        ("return state or None", "self.weight = 1", False),
        ("if not self._transient:\n            return None\n        return state", "", False),
    ],
)
def test_nothing_is_left_of_the_state(end: str, init: str, fires: bool) -> None:
    assert marks(_CACHED.format(end=end, init=init)) == ([(7, "LP609")] if fires else [])


def test_what_is_made_on_demand_is_not_missed() -> None:
    text = _CACHED.format(end="return state or None", init="")
    assert (
        marks(
            text.replace("return self.seen", 'if not hasattr(self, "seen"): self.seen = {}\n        return self.seen')
        )
        == []
    )
    assert marks(text.replace("self.seen = {}\n", "pass\n").replace('("seen",)\n', '("seen",)\n    seen = {}\n')) == []


@pytest.mark.parametrize("body", ["return None", "return", "pass"])
@pytest.mark.parametrize(
    ("also", "fires"),
    [
        ("def run(self):\n        return self.name", True),
        ("def __setstate__(self, state):\n        self.name = ''\n    def run(self):\n        return self.name", True),
        ("def run(self):\n        return getattr(self, 'name', '')", False),
        ("def run(self):\n        return 1", False),
        ("name = ''\n    def run(self):\n        return self.name", False),
        ("def open(self):\n        self.name = ''\n    def run(self):\n        return self.name", False),
        ("def __new__(cls, *names):\n        return shared(cls)\n    def run(self):\n        return self.name", False),
    ],
)
def test_none_written_out(body: str, also: str, fires: bool) -> None:
    text = f"""
import pickle

class Job:
    def __init__(self, name):
        self.name = name

    def __getstate__(self):
        {body}

    {also}

pickle.dumps(Job("a"))
"""
    assert marks(text) == ([(8, "LP609")] if fires else [])
