"""Parsed texts as fixes and analyses ask them."""

from __future__ import annotations

import ast

import pytest

from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import Placed, SourceTree
from tests.fixes.helpers import span_of

TEXT = "first = 1\n\n\ndef run(a):\n    b = a + first\n    return b\n"


@pytest.fixture
def source() -> SourceTree:
    return SourceTree(TEXT, ast.parse(TEXT))


def _texts(nodes: list[Placed], source: SourceTree) -> list[str]:
    return [source.segment(source.span(each)) for each in nodes]


def test_nodes_within_a_span(source: SourceTree) -> None:
    nodes = list(source.nodes_within(span_of(TEXT, "b = a + first")))
    assert _texts(nodes, source) == ["b = a + first", "b", "a + first", "a", "first"]


def test_the_same_nodes_whoever_asks_and_however_far(source: SourceTree) -> None:
    span = span_of(TEXT, "b = a + first")
    first = next(source.nodes_within(span))
    assert [*source.nodes_within(span)] == [*source.nodes_within(span)]
    assert next(source.nodes_within(span)) is first


def test_a_span_that_cuts_through_nodes(source: SourceTree) -> None:
    assert _texts(list(source.nodes_within(span_of(TEXT, "a + fir"))), source) == ["a"]
    assert list(source.nodes_within(Span(len(TEXT), len(TEXT)))) == []


def test_the_call_at_a_span() -> None:
    text = "made = Pool(4)(each).get(run(Pool(4)), \\\n    timeout=3)\n"
    source = SourceTree(text, ast.parse(text))
    for written in ("Pool(4)", "Pool(4)(each)", "run(Pool(4))", text[len("made = ") : -1]):
        found = source.call_at(span_of(text, written))
        assert found is not None
        assert source.segment(source.span(found)) == written
    for written in (text[:-1], "Pool", "each", "timeout=3"):
        assert source.call_at(span_of(text, written)) is None
