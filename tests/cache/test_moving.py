"""Paths below a root become those below another, and nothing else changes."""

from __future__ import annotations

import os

import pytest

from lintpickle.cache.moving import NotMovable, at_root
from lintpickle.diagnostics import Severity, Span

ROOT = os.path.join(os.sep, "a", "project")
TO = os.path.join(os.sep, "there")


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (ROOT, TO),
        (os.path.join(ROOT, "m.py"), os.path.join(TO, "m.py")),
        ("m.py", "m.py"),
        (os.path.join(os.sep, "a", "m.py"), os.path.join(os.sep, "a", "m.py")),
        ((1, None, b"x", True), (1, None, b"x", True)),
        ({ROOT: {ROOT}}, {TO: {TO}}),
        (frozenset({(ROOT, 1)}), frozenset({(TO, 1)})),
        ([Span(1, 2), Severity.WARNING], [Span(1, 2), Severity.WARNING]),
    ],
)
def test_paths_are_moved(known: object, expected: object) -> None:
    assert at_root(known, ROOT, TO) == expected


@pytest.mark.parametrize(
    ("known", "root"),
    [(f"see {ROOT}", ROOT), (f"{ROOT}-2", ROOT), ("m.py", os.sep), (object(), ROOT)],
)
def test_what_only_contains_the_path_is_not_moved(known: object, root: str) -> None:
    with pytest.raises(NotMovable):
        at_root(known, root, TO)
