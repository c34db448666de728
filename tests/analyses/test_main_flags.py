"""Flags of absl: what only the main process parses, workers cannot read."""

from __future__ import annotations

import pytest

from tests.support import marks

PROGRAM = """\
from multiprocessing import Pool

from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("folder", "data", "Where the games are.")
flags.DEFINE_integer("most", 10, "How many are read.")


def read(name{more}):
    {first}
    return open(f"{{{folder}}}/{{name}}").read()[:{most}]


def main(_):
    with Pool(4) as pool:
        print(pool.{mapping})


if __name__ == "__main__":
    app.run(main)
"""


def _found(
    first: str = "name = name.strip()",
    folder: str = "FLAGS.folder",
    most: str = "FLAGS.most",
    more: str = "",
    mapping: str = "map(read, ['a', 'b'])",
) -> list[str]:
    text = PROGRAM.format(first=first, folder=folder, most=most, more=more, mapping=mapping)
    return [code for _, code in marks(text)]


def test_the_first_flag_that_workers_read_stands_for_all() -> None:
    assert _found() == ["LP208"]


def test_one_flag() -> None:
    assert _found(folder="name") == ["LP208"]


def test_gap_flags_by_their_module() -> None:
    # gap: only the name to which a module binds the flags is looked for
    assert _found(folder="name", most="flags.FLAGS.most") == []


@pytest.mark.parametrize(
    "first", ["FLAGS(['read'])", "FLAGS.mark_as_parsed()", "flags.FLAGS(['read'], known_only=True)"]
)
def test_workers_that_parse_them_too(first: str) -> None:
    assert _found(first=first) == []


def test_what_workers_are_given() -> None:
    mapping = "starmap(read, [('a', FLAGS.folder, FLAGS.most)])"
    assert _found(more=", folder, most", folder="folder", most="most", mapping=mapping) == []


def test_what_only_main_reads() -> None:
    assert _found(folder="name", most="9", mapping="map(read, [FLAGS.folder])") == []
