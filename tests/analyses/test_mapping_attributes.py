"""Mappings whose items are attributes, and that are copied."""

from __future__ import annotations

import pytest

from ..support import marks

TEXT = """\
import copy
from collections import OrderedDict, UserDict


class Options({base}):
    {hook}


class Model:
    def __init__(self):
        self.options = Options(rate=1)


def main():
    return copy.{function}(Model())


main()
"""
GIVES = "def __getattr__(self, name):\n        return self[name]"


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, True),
        ({"base": "OrderedDict"}, True),
        ({"hook": "__getattr__ = dict.__getitem__"}, True),
        ({"hook": GIVES.replace("self[name]", "self.__getitem__(name)")}, True),
        ({"hook": GIVES.replace("self[name]", "dict.__getitem__(self, name)")}, True),
        ({"hook": GIVES.replace("        return", '        """An item."""\n        return')}, True),
        ({"function": "copy"}, False),
        ({"base": "UserDict"}, False),
        ({"hook": "__getattr__ = dict.get"}, False),
        ({"hook": GIVES.replace("self[name]", "self.get(name)")}, False),
        ({"hook": GIVES + "\n\n    def __missing__(self, key):\n        return None"}, False),
        ({"hook": GIVES + "\n\n    def __deepcopy__(self, memo):\n        return self"}, False),
        (
            {
                "hook": "def __getattr__(self, name):\n        try:\n            return self[name]\n"
                "        except KeyError:\n            raise AttributeError(name) from None"
            },
            False,
        ),
    ],
)
def test_what_copying_asks_for(changed: dict[str, str], found: bool) -> None:
    parts = {"base": "dict", "hook": GIVES, "function": "deepcopy"}
    assert [code for _, code in marks(TEXT.format(**{**parts, **changed}))] == ["LP601"] * found
