"""What is asked for each class of a file does not read all of the file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lintpickle.api import lint_source
from lintpickle.interpreter.instance_state import _MAY_PUT
from lintpickle.settings import SettingsResolver

COUNT = 150
CLASS = """
class Frames{0}(Dataset):
    def __init__(self):
        self.scale = lambda x: x + {0}

    def __getitem__(self, index):
        return self.scale(index)


loader{0} = DataLoader(Frames{0}(), num_workers=2)
"""
PADDING = "# " + "what.append(to) put 'self' here.\n# " * 100_000


@pytest.fixture(scope="module")
def seconds() -> dict[bool, float]:
    """The CPU seconds for a file of classes, and for the same with a long comment."""
    text = "from torch.utils.data import DataLoader, Dataset\n" + "".join(map(CLASS.format, range(COUNT)))
    taken = {}
    for is_long in (False, True):
        resolver = SettingsResolver(cwd=Path.cwd(), isolated=True)
        started = time.process_time()
        outcome = lint_source(text + PADDING * is_long, "many_classes.py", resolver=resolver)
        taken[is_long] = time.process_time() - started
        assert len([each for each in outcome.diagnostics if each.code == "LP102"]) == COUNT
    return taken


def test_a_long_comment_is_not_read_for_each_class(seconds: dict[bool, float]) -> None:
    assert seconds[True] - seconds[False] < 6


def test_the_screen_for_containers_takes_no_time_for_long_lines() -> None:
    started = time.process_time()
    assert _MAY_PUT.search("a.append(x)," * 20_000) is None
    assert time.process_time() - started < 3
    assert _MAY_PUT.search("a.append(x); parent.children.append(self)")
    assert _MAY_PUT.search("parent[key] = self")
