"""What is read under a key that a mapping is asked for first: not what it has under names that are not known, if it has
others by name."""

from __future__ import annotations

import pytest

from tests.support import lint

_TEXT = """\
import multiprocessing as mp


class Scenario:
    def __init__(self, title=None, note=None):
        self.title = title
        self.note = note


def work(scenario):
    return scenario.title


def scale_by(factor):
    def scale(value):
        return value * factor

    return scale


def made_of(entry):
    title = note = None
    {read}
    return Scenario(title, note)


def main(factors):
    entry = {entry}
    entry.update({{name: scale_by(factor) for name, factor in factors}})
    with mp.Pool(2) as pool:
        print(pool.map(work, [made_of(entry)]))


if __name__ == "__main__":
    main([("a", 2)])
"""
ASKED = 'if "note" in entry:\n        note = entry["note"]'


@pytest.mark.parametrize(
    ("read", "entry", "fires"),
    [
        (ASKED, '{"title": "one"}', False),
        (ASKED.replace(":\n", " and title is None:\n"), '{"title": "one"}', False),
        (ASKED, "{}", True),
        (ASKED, '{"title": "one", "note": scale_by(3)}', True),
        (ASKED.replace("if ", "if not "), '{"title": "one"}', True),
        ('note = entry["note"]', '{"title": "one"}', True),
        ('if "title" in entry:\n        note = entry["note"]', '{"title": "one"}', True),
    ],
)
def test_an_optional_key_beside_others(read: str, entry: str, fires: bool) -> None:
    found = lint(_TEXT.format(read=read, entry=entry)).diagnostics
    assert [each.code for each in found if each.code == "LP103"] == ["LP103"] * fires
