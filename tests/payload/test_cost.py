"""What a program costs grows as it does. Calls are counted, not seconds: they are the same on every machine."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver

_LOADERS = """\
from torch.utils.data import DataLoader, Dataset
{classes}
if __name__ == "__main__":
{made}
"""
_CLASS = """
class Data{0}(Dataset):
    def __init__(self):
        self.change = lambda item: item
"""


def _program(size: int, made: str) -> str:
    numbers = range(size)
    classes = "".join(_CLASS.format(number) for number in numbers)
    return _LOADERS.format(classes=classes, made="\n".join(f"    {made.format(number)}" for number in numbers))


def _calls(text: str, findings: int) -> int:
    """How many functions are called to check a text, in which so much is found."""
    count = 0

    def counted(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        outcome = lint_source(text, "example.py", resolver=SettingsResolver(isolated=True))
    finally:
        sys.setprofile(before)
    assert len(outcome.diagnostics) == findings
    return count


@pytest.mark.parametrize(
    "made", ["DataLoader(Data{0}(), num_workers=2)", "loader{0} = DataLoader(Data{0}(), 8, num_workers=2)"]
)
def test_many_boundaries_in_one_function(made: str) -> None:
    _calls(_program(1, made), 1)  # What is done once is done before.
    few, many = (_calls(_program(size, made), size) for size in (50, 200))
    assert many < 5 * few


def test_objects_that_iterate_one_another() -> None:
    """Each order in which such objects may stand around one another is another call of `iter`."""
    _calls(_sources(1), 0)
    few, many = (_calls(_sources(size), 0) for size in (3, 9))
    assert many < 4 * few


def _sources(count: int) -> str:
    kinds = "".join(
        f"class Source{n}(Source):\n    def __iter__(self):\n        iterator = iter(self.source)\n"
        f"        while True:\n            yield next(iterator)\n\n\n"
        f"class Mapped{n}(Source):\n    def __iter__(self):\n        return map(str, iter(self.source))\n\n\n"
        for n in range(count)
    )
    chosen = "".join(
        f"    if names[{n}]:\n        source = Mapped{n}(source)\n    else:\n        source = Source{n}(source)\n"
        for n in range(count)
    )
    return (
        "from torch.utils.data import DataLoader\n\n\n"
        "class Source:\n    def __init__(self, source):\n        self.source = source\n\n\n"
        f"{kinds}def build(names, source):\n{chosen}    return DataLoader(list(iter(source)), num_workers=2)\n"
    )


_POOLS = """\
import sys
from concurrent.futures import ProcessPoolExecutor

{pool}


def work(item):
    return item


def run(item):
    with Pool(2) as pool:
        return pool.submit(work, item).result()


def main():
{calls}
"""
_ONE = "Pool = ProcessPoolExecutor"
_CHOSEN = f"""\
if sys.platform == "win32":
    class Pool(ProcessPoolExecutor):
        pass
else:
    {_ONE}
"""


def test_a_pool_of_one_of_two_classes() -> None:
    """Whichever it is, one boundary is called there, to which each caller leads once."""
    texts = [_POOLS.format(pool=pool, calls="    run(lambda: 1)\n" * 20) for pool in (_ONE, _CHOSEN)]
    _calls(texts[0], 20)
    one, chosen = (_calls(text, 20) for text in texts)
    assert chosen < 2 * one
