"""Objects that `__new__` makes without their constructor."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
import pickle
import threading


class Model:
    def __init__(self, name):
        self.name = name
        self.lock = threading.Lock()

    @classmethod
    def made(cls, name):
{body}
        return made


def save():
    return pickle.dumps(Model.made("a"))
"""
META = """\
import copy
import threading


class Meta(type):
    def __call__(cls, *args):
        made = cls.__new__(cls, *args)
        made.lock = {lock}
        made.__init__(*args)
        return made


class Model(metaclass=Meta):
    def __init__(self, name):
        self.name = name


def clone():
    return copy.deepcopy(Model("a"))
"""


@pytest.mark.parametrize(
    ("statements", "found"),
    [
        (["made = cls.__new__(cls)", "made.name = name"], []),
        (["made = object.__new__(cls)", "made.name = name"], []),
        (["made = cls.__new__(cls)", "made.__init__(name)"], ["LP111"]),
        (["made = cls.__new__(cls)", "made.other = threading.Lock()"], ["LP111"]),
        (["made = cls.__new__(cls)", "made.__dict__.update(name=name)"], []),
        (["made = cls(name)"], ["LP111"]),
    ],
)
def test_what_they_hold(statements: list[str], found: list[str]) -> None:
    body = "\n".join(" " * 8 + each for each in statements)
    assert [code for _, code in marks(PROGRAM.format(body=body))] == found


@pytest.mark.parametrize(("lock", "found"), [("threading.RLock()", ["LP111"]), ("None", [])])
def test_what_a_metaclass_makes(lock: str, found: list[str]) -> None:
    assert [code for _, code in marks(META.format(lock=lock))] == found


CHOOSING = """\
import pickle
import threading


class Choosing(type):
    def __call__(cls, *args, backend=None, **options):
        if backend is None:
            backend = where()
        if {test}:
            return super().__call__(*args, **options)
        return Remote(*args, **options)


class Local(metaclass=Choosing):
    def __init__(self, size):
        self.size = size


class Remote:
    def __init__(self, size):
        self.lock = threading.Lock()


def where():
    return input()


if __name__ == "__main__":
    pickle.dumps(Local(3))
"""


@pytest.mark.parametrize(("test", "found"), [("backend == 'here'", []), ("False", ["LP111"])])
def test_a_metaclass_that_may_make_another_class(test: str, found: list[str]) -> None:
    assert [code for _, code in marks(CHOOSING.format(test=test))] == found
