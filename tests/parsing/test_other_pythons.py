"""Conditions that hold under none of the Pythons that are read."""

from __future__ import annotations

import ast

import pytest

from lintpickle.parsing.other_pythons import is_of_another_python


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
