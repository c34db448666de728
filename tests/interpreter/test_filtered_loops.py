"""Loops that store the values of a mapping under its keys, but not under those that they test."""

from __future__ import annotations

import pytest

from tests.support import marks

MODEL = """\
import copy

_SKIPPED = ("log", "file")


class Model:
    def __init__(self, **kwargs):
        self.name = kwargs.get("name", "model")
        {loop}


class Composite(Model):
    def __init__(self, parts, **kwargs):
        kwargs["name"] = kwargs.get("name", "composite")
        super().__init__(parts=parts, **kwargs)


def fit(path):
    model = Composite([], log=open(path, "w"), size=3)
    return copy.deepcopy(model)


fit("fit.log")
"""


def found(loop: str) -> list[str]:
    rows = "\n".join(" " * 8 + row for row in loop.splitlines()).strip()
    return [code for _, code in marks(MODEL.format(loop=rows))]


@pytest.mark.parametrize(
    "loop",
    [
        "for arg, value in kwargs.items():\n    if arg != 'log':\n        setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if not arg == 'log':\n        setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg not in ('log', 'file'):\n        setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg in _SKIPPED:\n        continue\n    setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg == 'log':\n        continue\n    self.__dict__[arg] = value",
        "for arg, value in kwargs.items():\n    if arg == 'size':\n        continue\n    if arg == 'log':\n"
        "        continue\n    setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if value and arg != 'log':\n        setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg == 'log':\n        print(value)\n    else:\n"
        "        setattr(self, arg, value)",
    ],
)
def test_what_a_loop_passes_over_is_not_stored(loop: str) -> None:
    assert found(loop) == []


@pytest.mark.parametrize(
    "loop",
    [
        "for arg, value in kwargs.items():\n    setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg != 'size':\n        setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg not in ('size', 'file'):\n        setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg == 'log':\n        setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg != 'log' or value:\n        setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if arg == 'log':\n        print(value)\n    setattr(self, arg, value)",
        "for arg, value in kwargs.items():\n    if self.name != 'log':\n        setattr(self, arg, value)",
    ],
)
def test_what_a_loop_takes_is_stored(loop: str) -> None:
    assert found(loop) == ["LP110"]
