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
