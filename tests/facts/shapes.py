"""What tests need of facts: reading them from a text, and comparing them, though facts are compared by identity."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import asdict, replace

from lintpickle.diagnostics import Span
from lintpickle.facts.of_file import FileFacts
from lintpickle.facts.read import read_facts
from lintpickle.facts.records import ClassFacts
from lintpickle.parsing.outline import Block
from lintpickle.prefilter.marks import Vocabulary
from lintpickle.source.document import Document, document_from_text

from ..programs import FIXTURES

VOCABULARY = Vocabulary(frozenset({"open", "Lock"}), frozenset({"environ"}), frozenset({"DataLoader", "Pool", "save"}))
SOURCES = sorted([*(Path(__file__).parents[2] / "lintpickle").rglob("*.py"), *FIXTURES.rglob("*.py")])
"""Real code of many kinds: our own, and that of the fixture projects."""


def document(text: str) -> Document:
    return document_from_text(text, str(Path("module.py").absolute()))


def facts_of(text: str, kept: bytes | None = None) -> FileFacts:
    return FileFacts(document(text), VOCABULARY, kept)


_PLAIN = (str, int, bool, type(None))


def shape(item: object, seen: dict[int, int] | None = None) -> object:
    """Equal for facts that say the same and share the same records. Methods are read, each a whole by itself."""
    seen = {} if seen is None else seen
    kind = type(item)
    if kind in _PLAIN:
        return (kind.__name__, item)
    if kind is tuple:
        return ("tuple", [shape(each, seen) for each in item])  # type: ignore[attr-defined]
    if isinstance(item, Span):
        return ("span", item.start, item.end)
    if isinstance(item, Struct):
        if id(item) in seen:
            return ("seen", seen[id(item)])
        seen[id(item)] = len(seen)
        return (
            kind.__name__,
            [(name, shape(part, None if name == "methods" else seen)) for name, part in asdict(item).items()],
        )
    if isinstance(item, Mapping):
        return ("mapping", [(key, shape(value, seen)) for key, value in item.items()])
    if isinstance(item, tuple):
        return ("tuple", [shape(each, seen) for each in item])
    return (kind.__name__, repr(item) if not isinstance(item, frozenset) else sorted(map(str, item)))


def both_readings(facts: FileFacts, text: str, block: Block) -> tuple[ClassFacts, ClassFacts]:
    """The class of a block, its methods read one by one, and read whole."""
    one_by_one = facts.facts_of(block)
    whole = read_facts(text, block, (), lambda member: pytest.fail("there are no members"))
    assert one_by_one is not None
    assert whole is not None
    (name,) = whole.classes
    assert list(one_by_one.classes) == [name]
    return one_by_one.classes[name], whole.classes[name]


def assert_same(one_by_one: ClassFacts, whole: ClassFacts) -> None:
    assert shape(replace(one_by_one, span=whole.span)) == shape(whole)
