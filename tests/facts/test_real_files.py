"""Facts of real files: a class is the same whole and method by method, and what is kept comes back as it was.

Reading takes nearly all of the time, so both tests of a file read it once, in one process.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import NamedTuple

import pytest

from lintpickle.facts.of_file import FileFacts
from lintpickle.parsing.outline import Block
from lintpickle.parsing.syntax import BrokenSyntax
from lintpickle.source.document import read_document

from ..programs import FIXTURES
from .shapes import SOURCES, assert_same, both_readings, facts_of, shape


class RealFile(NamedTuple):
    """A file whose blocks are read when a test asks for them. There are none if it is no Python."""

    text: str
    facts: FileFacts
    blocks: tuple[Block, ...]


@pytest.fixture(scope="module")
def real_file(request: pytest.FixtureRequest) -> RealFile | None:
    text = read_document(request.param).text
    try:
        facts = facts_of(text)
        return RealFile(text, facts, facts.outline.blocks)
    except BrokenSyntax:
        return None


def _sources() -> list[Path]:
    """The files of the fixture projects, and a third of our own, which are many and much alike: another third as they
    change."""
    return [path for path in SOURCES if FIXTURES in path.parents or zlib.crc32(path.read_bytes()) % 3 == 0]


def _parameter(path: Path) -> object:
    name = "/".join(path.parts[-2:])
    return pytest.param(path, id=name, marks=pytest.mark.xdist_group(name))


each_file = pytest.mark.parametrize("real_file", [_parameter(path) for path in _sources()], indirect=True)


@each_file
def test_a_class_is_the_same_whole_and_method_by_method(real_file: RealFile | None) -> None:
    if real_file is None:
        return
    text, facts, blocks = real_file
    for block in blocks:
        if block.is_class:
            assert_same(*both_readings(facts, text, block))


@each_file
def test_kept_facts_are_the_facts(real_file: RealFile | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if real_file is None:
        return
    text, first, blocks = real_file
    parsed = [shape(first.facts_of(block)) for block in blocks]
    marks = [first.marks(block) for block in blocks]
    of_methods = [first.marks_of_methods(block, {"__init__"}) for block in blocks]
    for name in ("read.read_facts", "read.read_member", "of_file.marks", "of_file.members", "of_file.outline"):
        monkeypatch.setattr(f"lintpickle.facts.{name}", None)
    second = facts_of(text, first.to_keep())
    assert shape(second.outline) == shape(first.outline)
    assert [shape(second.facts_of(block)) for block in second.outline.blocks] == parsed
    assert [second.marks(block) for block in second.outline.blocks] == marks
    assert [second.marks_of_methods(block, {"__init__"}) for block in second.outline.blocks] == of_methods
    assert not second.is_changed
    assert second.to_keep() == first.to_keep()
