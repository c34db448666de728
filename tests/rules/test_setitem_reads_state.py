"""LP611: setitem-reads-state."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.pickling_hooks import KEPT, indented, rows


class TestPage(PageTests):
    code = "LP611"


_CLASS = """\
from collections import Counter, OrderedDict, UserDict, defaultdict, deque


class A({base}):
    def __init__(self, *items):
        super().__init__()
        self.log = []
        self.size = 0

    def {method}(self, *given):
{body}
"""
_READS = "super().__setitem__(*given)\nself.log.append(given)"


def _rows(body: str, base: str = "dict", method: str = "__setitem__", more: str = "") -> list[int]:
    return rows(_CLASS.format(base=base, method=method, body=indented(body)) + more + KEPT, "LP611")


@pytest.mark.parametrize(
    ("body", "more"),
    [
        (_READS, ""),
        ("self.size += 1", ""),
        ("self.log[given] = 1", ""),
        ("if self.size > 3:\n    return", ""),
        ("for each in self.log:\n    print(each)", ""),
        ("with self.log:\n    pass", ""),
        ("self._note(given)", "\n    def _note(self, given):\n        self.log.append(given)\n"),
    ],
)
def test_what_it_surely_reads(body: str, more: str) -> None:
    assert _rows(body, more=more) == [10]


_LOOKUP = "\n    def __getattr__(self, name):\n"


@pytest.mark.parametrize(
    ("lookup", "fires"),
    [
        ("return self[name]", True),
        ("try:\n    return self[name]\nexcept KeyError:\n    raise AttributeError(name) from None", True),
        ("if name in self:\n    return self[name]\nraise AttributeError(name)", True),
        ("return self.get(name)", False),
        ("try:\n    return self[name]\nexcept KeyError:\n    return []", False),
        ("if name == 'log':\n    return []\nraise AttributeError(name)", False),
    ],
)
def test_a_lookup_among_items_finds_none_yet(lookup: str, fires: bool) -> None:
    assert _rows(_READS, more=_LOOKUP + indented(lookup)) == [10] * fires


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("super().__setitem__(*given)", ""),
        ("self.log = []\nself.log.append(given)", ""),
        ("if hasattr(self, 'log'):\n    self.log.append(given)", ""),
        ("if not given:\n    return\nself.log.append(given)", ""),
        ("if given in self:\n    self.log.append(given)", ""),
        ("try:\n    self.log.append(given)\nexcept AttributeError:\n    self.log = []", ""),
        ("self.__dict__.setdefault('log', []).append(given)", ""),
        ("given and self.log.append(given)", ""),
        ("return super().__setitem__(*given)\nself.log.append(given)", ""),
        ("self.keys()", ""),
        ("self.limit", "\n    limit = 3\n"),
        (_READS, "\n    def __reduce__(self):\n        return (A, (), None, None, iter(self.items()))\n"),
        (
            _READS,
            "\n    def __new__(cls, *given):\n        made = super().__new__(cls)\n"
            "        made.log = []\n        return made\n",
        ),
    ],
)
def test_what_it_may_not_read(body: str, more: str) -> None:
    assert _rows(body, more=more) == []


_LIMITED = """\
class A(dict):
    def __init__(self, limit=100):
        super().__init__()
        self.limit = limit

    def __setitem__(self, key, value):
{body}
        super().__setitem__(key, value)
"""


def _limited(body: str, more: str = "") -> list[int]:
    return rows(_LIMITED.format(body=indented(body)) + more + KEPT, "LP611")


@pytest.mark.parametrize(
    "body",
    [
        "while len(self) >= self.limit:\n    del self[next(iter(self))]",
        "if len(self) >= self.limit:\n    raise KeyError(key)",
        "if key not in self and len(self) >= self.limit:\n    self.popitem()",
        "if not (key in self) and self.limit:\n    self.popitem()",
        "if key in self or self.limit:\n    self.popitem()",
        "if key in self:\n    del self[key]\nelif len(self) >= self.limit:\n    self.popitem()",
        "if key in self:\n    return\nif list(self)[: self.limit]:\n    return",
        "assert isinstance(self, A)\nself.limit -= 1",
    ],
)
def test_the_limit_of_a_cache_is_not_there_yet(body: str) -> None:
    assert _limited(body) == [6]


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("if key in self and self.limit:\n    return", ""),
        ("if key not in self or self.limit:\n    return", ""),
        ("if key in self:\n    self.limit -= 1", ""),
        ("key = str(key)\nif key not in self and self.limit:\n    return", ""),
        ("if value not in self and self.limit:\n    return", ""),
        ("if key not in self and self.limit:\n    return", "\n    def __contains__(self, key):\n        return True\n"),
        ("if len(self) >= getattr(self, 'limit', 3):\n    return", ""),
        ("if len(self) >= self.limit:\n    return", "\n    limit = 3\n"),
        ("if len(self) >= self.limit:\n    return", "\n    def __len__(self):\n        return prepared(self)\n"),
        ("if prepared(self) >= self.limit:\n    return", ""),
        ("if len(self) >= self.limit:\n    return", "\n    def __reduce__(self):\n        return (A, ())\n"),
        ("pass", "\n    def add(self, key):\n        return len(self) >= self.limit\n"),
    ],
)
def test_a_limit_that_is_not_asked_for_or_that_may_be_there(body: str, more: str) -> None:
    assert _limited(body, more) == []


@pytest.mark.parametrize(
    ("base", "method", "fires"),
    [
        ("dict", "__setitem__", True),
        ("dict", "update", False),
        ("list", "extend", True),
        ("list", "append", False),
        ("OrderedDict", "__setitem__", False),
        ("defaultdict", "__setitem__", False),
        ("Counter", "__setitem__", False),
        ("UserDict", "__setitem__", False),
        ("deque", "append", False),
        ("set", "add", False),
        ("object", "__setitem__", False),
    ],
)
def test_which_method_pickle_fills_it_with(base: str, method: str, fires: bool) -> None:
    assert _rows("self.log.append(given)", base, method) == [10] * fires


_KEEPING = """\
class A(dict):
    def __init__(self, *given):
        self.given = given
        self._data = {{}}

    def __setitem__(self, key, value):
{body}
"""
_KEEPS = "self._note(value)\nself._data[key] = value"
_NOTE = "\n    def _note(self, value):\n        print(self.given, value)\n"


@pytest.mark.parametrize(
    ("body", "more", "fires"),
    [
        (_KEEPS, "", False),
        (f"if self.given:\n    print(key)\n{_KEEPS}", "", False),
        (_KEEPS, "\n    def items(self):\n        return self._data.items()\n", True),
        (f"{_KEEPS}\nsuper().__setitem__(key, value)", "", True),
        (f"{_KEEPS}\ndict.__setitem__(self, key, value)", "", True),
        (f"{_KEEPS}\nself.update({{key: value}})", "", True),
        ("self._note(value)\nself._data[len(self.given)] = value\nkept(self, key)", "", True),
    ],
)
def test_items_that_are_kept_in_an_attribute(body: str, more: str, fires: bool) -> None:
    text = _KEEPING.format(body=indented(body)) + _NOTE + more + KEPT
    assert rows(text, "LP611") == [6] * fires


def test_a_class_that_is_not_shipped() -> None:
    assert rows(_CLASS.format(base="dict", method="__setitem__", body=indented(_READS)), "LP611") == []
