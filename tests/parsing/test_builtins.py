"""Which names of a module are those of `builtins`."""

from __future__ import annotations

import pytest

from lintpickle.parsing.outline import outline


@pytest.mark.parametrize(
    "text",
    ["", "from numpy import *", "from os.path import *", "from .os import *", "def f():\n    open = 1"],
)
def test_the_builtin(text: str) -> None:
    assert outline(text).is_builtin("open")


@pytest.mark.parametrize("text", ["from os import *", "from io import open", "open = 1", "def open(path):\n    pass"])
def test_another_thing_of_that_name(text: str) -> None:
    assert not outline(text).is_builtin("open")


def test_a_name_that_is_no_builtin() -> None:
    assert not outline("").is_builtin("rows")
