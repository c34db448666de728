"""Conditions that come out the same under all Pythons that are read."""

from __future__ import annotations

import ast

import pytest

from lintpickle.parsing.other_pythons import is_of_another_python, on_each_python


def holds(text: str) -> bool:
    return is_of_another_python(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    "text",
    [
        'sys.platform.startswith("java")',
        'os.name == "java"',
        'platform.python_implementation() == "Jython"',
        "sys.version_info[0] == 2",
        "sys.version_info[0] < 3",
        "sys.version_info.major == 2",
        "sys.version_info < (3,)",
        "six.PY2",
        "PY2",
        "not PY3",
        "sys.version_info < (3, 10)",
        "sys.version_info <= (3, 8)",
        "sys.version_info[:2] == (3, 6)",
        "sys.version_info[0] > 3",
        "sys.version_info[0] != 3",
        'sys.version_info < (3, 8) and sys.platform == "darwin"',
    ],
)
def test_others(text: str) -> None:
    assert holds(text)


@pytest.mark.parametrize(
    "text",
    [
        'sys.platform.startswith("win")',
        'sys.platform == "darwin"',
        'platform.python_implementation() == "PyPy"',
        "sys.version_info[0] == 3",
        "sys.version_info < (3, 12)",
        "sys.version_info[1] < 3",
        "count < 3",
        "PY3",
        "not PY2",
    ],
)
def test_those_that_are_read(text: str) -> None:
    assert not holds(text)


@pytest.mark.parametrize(
    "text",
    [
        "sys.version_info > (3, 7)",
        "sys.version_info >= (3, 10)",
        "sys.version_info >= (3,)",
        "version_info[:2] >= (3, 8)",
        "sys.version_info.major >= 3",
        "sys.version_info[0] == 3",
        'sys.platform == "win32" or sys.version_info > (3, 7)',
        "six.PY3",
    ],
)
def test_what_holds_under_each(text: str) -> None:
    assert on_each_python(ast.parse(text, mode="eval").body) is True


@pytest.mark.parametrize(
    "text",
    [
        "sys.version_info >= (3, 14)",
        "sys.version_info < (3, 11)",
        "sys.version_info[:2] == (3, 12)",
        "sys.version_info >= oldest",
        'sys.platform == "win32"',
        'sys.platform == "win32" and sys.version_info > (3, 7)',
        "version >= (3, 7)",
    ],
)
def test_what_depends_on_more(text: str) -> None:
    assert on_each_python(ast.parse(text, mode="eval").body) is None
