"""The notes of Python 3.14 as a path. The notes are what CPython 3.14.2 printed."""

from __future__ import annotations

import pytest

from lintpickle.tracebacks.notes import NoteStep, is_same_class, steps


@pytest.mark.parametrize(
    ("notes", "path"),
    [
        (["dict item 'names'", "Config state", "Config object"], [("Config", "names")]),
        (
            ["dict item 'b'", "tuple item 1", "Slots state", "Slots object", "tuple item 1"],
            [(None, "[1]"), ("Slots", "b")],
        ),
        (["tuple item 0", "Red reconstructor arguments", "Red object", "list item 0"], [(None, "[0]"), (None, "[0]")]),
        (["frozenset element", "dict item 's'"], [(None, "['s']"), (None, "[…]")]),
        (["dict item (1, 2)", "dict item 2.5"], [(None, "[2.5]"), (None, "[(1, 2)]")]),
        (["L item 0", "L object"], [(None, "[0]")]),
        (["pkg.f.<locals>.In class", "pkg.f.<locals>.In object", "list item 0"], [(None, "[0]")]),
        (["something else"], []),
    ],
)
def test_notes_become_a_path_from_the_outside(notes: list[str], path: list[tuple[str | None, str]]) -> None:
    assert steps([f"when serializing {note}" for note in notes]) == tuple(NoteStep(*step) for step in path)


def test_classes_are_the_same_with_and_without_their_module() -> None:
    assert is_same_class("Config", "Config", "data")
    assert is_same_class("data.Config", "Config", "data")
    assert is_same_class("pkg.data.Config", "Config", "data")
    assert not is_same_class("data.MyConfig", "Config", "data")
