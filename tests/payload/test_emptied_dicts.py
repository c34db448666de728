"""Attributes that are given None before the dict of their object is copied or pickled: they are no part of it."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import pickle
import sqlite3
from copy import deepcopy


class Result:
    def __init__(self, name):
        self.name = name
        self.database = sqlite3.connect(name)
        self.other = None

    def serialize(self, is_last):
        {before}


print(Result("a.db").serialize(True))
"""


def _reports(before: str) -> bool:
    return [code for _, code in marks(PROGRAM.format(before=before.replace("\n", "\n        ")))] != []


@pytest.mark.parametrize(
    "before",
    [
        "self.database = None\ncopied = deepcopy(self.__dict__)\nreturn copied",
        "self.database, self.other = None, None\nreturn pickle.dumps(self.__dict__)",
        "del self.database\nreturn deepcopy(vars(self))",
        "if is_last:\n    self.database = None\n    return deepcopy(self.__dict__)",
    ],
)
def test_what_is_emptied_first_is_not_copied(before: str) -> None:
    assert not _reports(before)


@pytest.mark.parametrize(
    "before",
    [
        "return deepcopy(self.__dict__)",
        "self.other = None\nreturn deepcopy(self.__dict__)",
        "copied = deepcopy(self.__dict__)\nself.database = None\nreturn copied",
        "if is_last:\n    self.database = None\nreturn pickle.dumps(vars(self))",
    ],
)
def test_what_is_not_emptied_is_copied(before: str) -> None:
    assert _reports(before)
