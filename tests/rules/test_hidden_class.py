"""LP126: hidden-class."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP126"


_PROGRAM = """
import functools
from multiprocessing import Pool

{decorator}


@once
class Settings:{body}
    pass


def read(settings):
    return settings


def main():
    with Pool(2) as pool:
        print(pool.map(read, [Settings()]))
"""

_FUNCTION = """
def once(cls):
    @functools.wraps(cls)
    def get():
        return cls()
    return get
"""
_OBJECT = """
class once:
    def __init__(self, cls):
        self.cls = cls

    def __call__(self):
        return self.cls()
"""
_SAME = """
def once(cls):
    def get(name):
        return cls.made
    cls.get = classmethod(get)
    return cls
"""
_NAMED = """
def once(cls):
    def get():
        return cls()
    cls.__qualname__ = cls.__name__ = "get.cls"
    get.cls = cls
    return get
"""
_REDUCED = "\n    def __reduce__(self):\n        return (Settings, ())\n"


@pytest.mark.parametrize(
    ("decorator", "body", "fires"),
    [
        (_FUNCTION, "", True),
        (_OBJECT, "", True),
        (_SAME, "", False),
        (_NAMED, "", False),
        (_FUNCTION, _REDUCED, False),
        ("from single import once", "", False),
    ],
)
def test_what_decorators_put_in_place_of_a_class(decorator: str, body: str, fires: bool) -> None:
    text = _PROGRAM.format(decorator=decorator, body=body)
    assert ("LP126" in [code for _, code in marks(text)]) is fires


@pytest.mark.parametrize(
    ("binding", "fires"),
    [("Settings = Settings()", True), ("settings = Settings()", False), ("Settings = make(Settings)", False)],
)
def test_one_object_under_the_name_of_its_class(binding: str, fires: bool) -> None:
    text = f"""
from multiprocessing import Pool
from making import make


class Settings:
    pass


{binding}


def read(settings):
    return settings


def main():
    with Pool(2) as pool:
        print(pool.map(read, [{binding.partition(" ")[0]}]))
"""
    assert ("LP126" in [code for _, code in marks(text)]) is fires
