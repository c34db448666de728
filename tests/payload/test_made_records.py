"""Namedtuples of a class that a function makes for itself and whose objects it gives to its callers."""

from __future__ import annotations

import pytest

from lintpickle.api import lint_source
from lintpickle.settings import SettingsResolver

_SOURCE = """\
from collections import namedtuple


def prints(atoms, info=None):
    {record}
    {body}
"""
_LOCAL = "Record = namedtuple('Record', 'atom depth')"
_FILLED = "content = []\n    for atom in atoms:\n        content.append(Record(atom, 1))\n    "


def _rows(source: str, library: bool = True) -> list[int]:
    resolver = SettingsResolver(isolated=True, overrides={"library": library, "target-version": "3.11"})
    outcome = lint_source(source, "library.py", resolver=resolver)
    return [each.location.start.row for each in outcome.diagnostics if each.code == "LP121"]


_GIVEN = [
    "return Record(atoms, 1)",
    "return [Record(atom, 1) for atom in atoms]",
    f"{_FILLED}return content",
    f"{_FILLED}info['all'] = content",
    f"{_FILLED}info[1].add(content[atoms])",
    "info.append(Record(atoms, 1))",
    "info.records['first'] = Record(atoms, 1)",
]


@pytest.mark.parametrize("body", _GIVEN)
def test_records_that_callers_get(body: str) -> None:
    source = _SOURCE.format(record=_LOCAL, body=body)
    assert _rows(source) == [5]
    assert _rows(source, library=False) == []


@pytest.mark.parametrize(
    "body",
    [
        "return len([Record(atom, 1) for atom in atoms])",
        f"{_FILLED}return [tuple(each) for each in content]",
        f"{_FILLED}info['first'] = content[0].atom",
        "own = {}\n    own[1] = Record(atoms, 1)",
        "info.sort(key=lambda each: Record(each, 1))",
    ],
)
def test_records_that_stay_in_the_function(body: str) -> None:
    assert _rows(_SOURCE.format(record=_LOCAL, body=body)) == []


@pytest.mark.parametrize("body", _GIVEN)
@pytest.mark.parametrize("record", ["global Record; Record = namedtuple('Record', 'atom depth')", "pass"])
def test_records_that_pickle_finds(body: str, record: str) -> None:
    source = _SOURCE.format(record=record, body=body).replace("\n\n\n", f"\n\n{_LOCAL}\n\n\n", 1)
    assert _rows(source) == []


def test_a_function_that_users_do_not_call() -> None:
    source = _SOURCE.format(record=_LOCAL, body="return Record(atoms, 1)").replace("def prints", "def _prints")
    assert _rows(source) == []
