"""What is written down of facts comes back as it was."""

from __future__ import annotations

import marshal
from collections import abc

import pytest
from hypothesis import given, strategies as st

from lintpickle.diagnostics import Span
from lintpickle.facts.codec import NotEncodable, decode, encode
from lintpickle.facts.methods import Methods
from lintpickle.facts.records import ClassFacts, FunctionFacts
from lintpickle.facts.values import Argument, Attribute, Call, Choice, Collection, Constant, Expr, Mapping, Name, Sum
from lintpickle.parsing.members import Member, members

from .shapes import facts_of, shape

PLACE = Span(3, 7)


def there_and_back(record: object) -> object:
    return decode(marshal.loads(marshal.dumps(encode(record))))


CONSTANTS = [0, 1, -1, 2**80, True, False, 1.5, 2j, "", "3", b"", b"ab", None, ..., (3, 7), float("inf")]


@pytest.mark.parametrize("constant", CONSTANTS, ids=repr)
def test_constants_keep_value_and_type(constant: object) -> None:
    back = there_and_back(Constant(PLACE, constant))
    assert isinstance(back, Constant)
    assert back.span == PLACE
    assert (type(back.value), back.value) == (type(constant), constant)


def test_a_record_in_two_places_comes_back_as_one() -> None:
    shared = Name(PLACE, "x")
    other = Name(PLACE, "x")
    back = there_and_back(Sum(PLACE, (shared, Call(PLACE, shared, (Argument(other), Argument(shared, "k"))))))
    assert isinstance(back, Sum)
    first, call = back.parts
    assert isinstance(call, Call)
    assert call.function is first
    assert call.arguments[1].value is first
    assert call.arguments[0].value is not first


def test_a_name_in_front_of_a_key_that_is_none() -> None:
    value = Mapping(PLACE, ((None, Name(PLACE, "rest")), (Constant(PLACE, None), Name(PLACE, "x"))))
    assert shape(there_and_back(value)) == shape(value)


LEAVES = st.one_of(
    st.builds(Expr, st.just(PLACE)),
    st.builds(Name, st.builds(Span, st.integers(0, 9), st.integers(0, 9)), st.text()),
    st.builds(Constant, st.just(PLACE), st.one_of(st.integers(), st.floats(), st.text(), st.binary(), st.none())),
)


def _wider(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    several = st.lists(inner, max_size=3).map(tuple)
    pairs = st.lists(st.tuples(st.none() | inner, inner), max_size=3).map(tuple)
    return st.one_of(
        st.builds(Attribute, st.just(PLACE), inner, st.text()),
        st.builds(Collection, st.just(PLACE), st.just("list"), several),
        st.builds(Choice, st.just(PLACE), several),
        st.builds(Mapping, st.just(PLACE), pairs),
        st.builds(lambda value: Sum(PLACE, (value, value)), inner),
    )


@given(st.recursive(LEAVES, _wider, max_leaves=12))
def test_any_value(value: Expr) -> None:
    assert shape(there_and_back(value)) == shape(value)


def test_what_is_nested_too_deeply_is_not_written() -> None:
    value = Expr(PLACE)
    for _ in range(20_000):
        value = Attribute(PLACE, value, "a")
    with pytest.raises(NotEncodable):
        encode(value)


def test_facts_too_deep_to_be_kept_are_facts_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "def f(x):\n    return x.a\n"

    def refuse(record: object) -> object:
        raise NotEncodable

    first = facts_of(text)
    block = first.facts_of(first.outline.blocks[0])
    monkeypatch.setattr("lintpickle.facts.kept_facts.encode", refuse)
    kept = first.to_keep()
    monkeypatch.undo()
    second = facts_of(text, kept)
    again = second.facts_of(second.outline.blocks[0])
    assert second.is_changed
    assert shape(again) == shape(block)


def test_methods_that_nobody_asked_for_are_not_read_to_be_written() -> None:
    text = "class C:\n    def a(self): self.x = 1\n    if True:\n        def b(self): pass\n"
    first = facts_of(text)
    block = first.facts_of(first.outline.blocks[0])
    assert block is not None
    methods = block.classes["C"].methods
    assert isinstance(methods, Methods)
    encode(block)
    assert not methods._known

    def made(eager: abc.Mapping[str, FunctionFacts], known: tuple[Member, ...]) -> Methods:
        assert known == members(text, 0)
        return Methods(eager, known, lambda member: pytest.fail(member.name))

    back = decode(encode(block), made).classes["C"]
    assert isinstance(back, ClassFacts)
    assert list(back.methods) == ["a", "b"]
    assert shape(back.methods["b"]) == shape(methods["b"])


def test_what_is_broken_is_kept() -> None:
    text = "def f():\n    this is = broken\n\nclass A:\n    x = 1\n"
    first = facts_of(text)
    assert first.broken is None
    (broken, fine) = first.outline.blocks
    assert (first.facts_of(broken), first.marks(broken)) == (None, frozenset())
    assert first.broken is not None
    assert first.broken.row == 2
    second = facts_of(text, first.to_keep())
    assert second.broken is not None
    assert (second.broken.reason, second.broken.row) == (first.broken.reason, 2)
    assert second.facts_of(broken) is None
    assert second.facts_of(fine) is not None
