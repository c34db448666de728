"""Options that a function sets where they are not as it needs them."""

from __future__ import annotations

import ast

import pytest

from lintpickle.control_flow.settled_options import settled_as

_SETTLED = "if not options.threads:\n    print('no processes here')\n    options.threads = True\n"
_OFF = "if options.threads:\n    options.threads = False\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (_SETTLED, True),
        (_OFF, False),
        (f"{_SETTLED}print(options)\noptions.other = False\n", True),
        (f"try:\n    {_SETTLED.replace(chr(10), chr(10) + '    ')}print()\nfinally:\n    print()\n", None),
        (f"{_SETTLED}options.threads = read()\n", None),
        (f"{_SETTLED}options = read()\n", None),
        (f"{_SETTLED}if options.other:\n    options.threads = False\n", None),
        (f"if options.other:\n    {_SETTLED.replace(chr(10), chr(10) + '    ')}print()\n", None),
        ("if not options.threads:\n    options.threads = read()\n", None),
        ("if not options.threads:\n    options.threads = True\n    options.threads = read()\n", None),
        ("if not options.threads:\n    options.threads = True\nelse:\n    options.threads = False\n", None),
        ("if not options.other:\n    options.threads = True\n", None),
        ("options.threads = True\n", None),  # what is stored at once is followed as a value
        ("", None),
    ],
)
def test_what_a_condition_before_leaves(before: str, expected: bool | None) -> None:
    assert _settled(f"{before}if options.threads:\n    print(1)\n") is expected


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ("for row in rows:\n    if options.threads:\n        print(row)\n", True),
        ("for row in rows:\n    if options.threads:\n        print(row)\n    options.threads = row\n", None),
        ("if rows:\n    print()\nelse:\n    if options.threads:\n        print(1)\n", True),
        ("if rows:\n    options.threads = rows\nelse:\n    if options.threads:\n        print(1)\n", True),
        ("def later():\n    if options.threads:\n        print(1)\n", None),
    ],
)
def test_what_stands_around_the_test(around: str, expected: bool | None) -> None:
    assert _settled(f"{_SETTLED}{around}") is expected


def _settled(text: str) -> bool | None:
    body = "".join(f"    {line}\n" for line in text.splitlines())
    tree = ast.parse(f"def work(options, rows):\n{body}")
    tests = [node.test for node in ast.walk(tree) if isinstance(node, ast.If)]
    asked = [each for each in tests if isinstance(each, ast.Attribute) and each.attr == "threads"]
    return settled_as(max(asked, key=lambda each: each.lineno), tree)
