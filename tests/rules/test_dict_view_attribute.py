"""LP101: dict-view-attribute."""

from __future__ import annotations

import pytest

from lintpickle.diagnostics import Applicability
from tests.pages import PageTests
from tests.support import lint


class TestPage(PageTests):
    code = "LP101"


_TEXT = """\
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, table):
        self.names = {{"cat": 0, "dog": 1}}.keys()

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return index


def compare(rows, other):
    {use}
"""


@pytest.mark.parametrize(
    ("use", "applicability"),
    [
        ("return rows.names & other", Applicability.UNSAFE),
        ("return other - rows.names", Applicability.UNSAFE),
        ("return rows.names == other", Applicability.UNSAFE),
        ("return rows.names.isdisjoint(other)", Applicability.UNSAFE),
        ("return [name for name in rows.names]", Applicability.SAFE),
        ("return len(rows.names) - len(other)", Applicability.SAFE),
        ("return other in rows.names", Applicability.UNSAFE),
        ("names = rows.names\n    return names - other", Applicability.UNSAFE),
        ("return [name for name in rows.names if other]", Applicability.SAFE),
    ],
)
def test_what_a_list_cannot_do(use: str, applicability: Applicability) -> None:
    (found,) = lint(_TEXT.format(use=use)).diagnostics
    assert found.fix is not None
    assert found.fix.applicability is applicability


_MEMBERS = """\
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, table):
        self.table = dict(table)
        self.names = self.table.{view}()

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index in self.names{more}
"""


@pytest.mark.parametrize(
    ("view", "more", "message", "applicability"),
    [
        ("keys", "", "Convert to a set", Applicability.SAFE),
        ("values", "", "Convert to a list", Applicability.UNSAFE),
        ("keys", " and len(self.names)", "Convert to a list", Applicability.UNSAFE),
        (
            "keys",
            "\n\n    def add(self, name):\n        self.table[name] = 1",
            "Convert to a list",
            Applicability.UNSAFE,
        ),
    ],
)
def test_keys_that_are_only_asked_for_members(view: str, more: str, message: str, applicability: Applicability) -> None:
    (found,) = lint(_MEMBERS.format(view=view, more=more)).diagnostics
    assert found.fix is not None
    assert (found.fix.message, found.fix.applicability) == (message, applicability)


_LATE = """\
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, table):
        rows = dict(table)
        {before}
        self.names = rows.keys()
        {after}

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        return index
"""


@pytest.mark.parametrize(
    ("before", "after", "applicability"),
    [
        ("rows['a'] = 1", "self.rows = rows", Applicability.SAFE),
        ("self.rows = rows", "rows['a'] = 1", Applicability.UNSAFE),
        ("self.rows = rows", "rows.update(table)", Applicability.UNSAFE),
    ],
)
def test_a_dict_that_is_filled_later(before: str, after: str, applicability: Applicability) -> None:
    (found,) = lint(_LATE.format(before=before, after=after)).diagnostics
    assert found.fix is not None
    assert found.fix.applicability is applicability


_NAMES = """\
import multiprocessing


def work(names):
    return sorted(names)


def start(tables):
    names = {made}
    for table in tables:
        names.{method}(table.rows.keys())
    {more}
    multiprocessing.Process(target=work, args=(names,)).start()


class Table:
    def __init__(self):
        self.rows = {{"a": 1}}


start([Table()])
"""


@pytest.mark.parametrize(
    ("made", "method", "more", "fires"),
    [
        ("set()", "update", "", False),
        ("{'id'}", "update", "", False),
        ("[]", "extend", "", False),
        ("[]", "append", "", True),
        ("set()", "update", "names = Table().rows.keys()", True),
    ],
)
def test_a_container_that_takes_what_a_view_shows(made: str, method: str, more: str, fires: bool) -> None:
    text = _NAMES.format(made=made, method=method, more=more)
    assert ("LP101" in [each.code for each in lint(text).diagnostics]) is fires


_MERGED = """\
import pickle
from itertools import zip_longest


class Table:
    def __init__(self, other, words):
        rows = {made}
        {merge}
        self.rows = rows


pickle.dumps(Table({{"a": 1}}, ["a"]))
"""


@pytest.mark.parametrize(
    ("made", "merge", "codes"),
    [
        ("{}", "rows.update(other.items())", []),
        ("{}", "rows.update(zip_longest(words, []))", []),
        ("[]", "rows.extend(other.keys())", []),
        ("[]", "rows += other.keys()", []),
        ("{}", "rows.update(view=other.items())", ["LP101"]),
        ("{}", "rows['view'] = other.items()", ["LP101"]),
        ("[]", "rows.append(other.keys())", ["LP101"]),
        ("other.items()", "print(rows)", ["LP101"]),
    ],
)
def test_what_a_container_gets_the_items_of_is_not_kept(made: str, merge: str, codes: list[str]) -> None:
    assert [each.code for each in lint(_MERGED.format(made=made, merge=merge)).diagnostics] == codes


_GIVEN = """\
from collections.abc import Mapping
from torch.utils.data import Dataset


class Store:
    def keys(self):
        return [1, 2]


class Table(dict):
    pass


class Rows(Dataset):
    def __init__(self, given: TYPE, size: int = 3):
        self.names = given.keys()

    def __getitem__(self, index):
        return self.names[index]
"""


@pytest.mark.parametrize(
    ("annotation", "is_found"),
    [("Store", False), ('"Store"', False), ("Table", True), ("Mapping", True), ("dict[str, Store]", True)],
)
def test_a_parameter_annotated_with_a_class_of_the_program(annotation: str, is_found: bool) -> None:
    found = lint(_GIVEN.replace("TYPE", annotation)).diagnostics
    assert ("LP101" in [each.code for each in found]) is is_found
