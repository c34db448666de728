"""LP110: open-handle-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import held
from tests.rules.pickling_hooks import rows


class TestPage(PageTests):
    code = "LP110"


def test_what_a_method_of_a_held_object_returns_is_known() -> None:
    assert held("import lmdb\nself.transaction = lmdb.open('path').begin()") == ["LP110"]


LOGGER = """
import sys
from torch.utils.data import Dataset

class Log(Dataset):
    def __init__(self, file):
        self.file = file
    def __getstate__(self):
        state = self.__dict__.copy()
        {parent}
        return state

class Console(Log):
    def __init__(self):
        super().__init__(open("log.txt"))
        self.bar = None
    def __getstate__(self):
        state = {own}
        del state["bar"]
        return state
"""


@pytest.mark.parametrize(
    ("parent", "own", "found"),
    [
        ("state['file'] = self.file.name", "super().__getstate__()", []),
        ("state['file'] = self.file.name", "self.__dict__.copy()", [15]),
        ("pass", "super().__getstate__()", [15]),
    ],
)
def test_what_the_hook_of_a_parent_leaves_out_is_left_out(parent: str, own: str, found: list[int]) -> None:
    assert rows(LOGGER.format(parent=parent, own=own), "LP110") == found
