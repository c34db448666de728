"""The order in which Python looks methods up, from those of the bases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from lintpickle.interpreter import class_order
from lintpickle.interpreter.abstract_values import ExternalValue
from lintpickle.interpreter.class_order import _merged
from lintpickle.interpreter.protocols import Ancestor


def _order(lines: Sequence[Sequence[str]]) -> list[str]:
    return [each.path for each in _merged([[ExternalValue(name) for name in line] for line in lines])]  # type: ignore[union-attr]


def _compared(lines: Sequence[Sequence[str]]) -> list[str]:
    """The same as its definition says it: each head is looked for in all tails."""
    left, order = [list(line) for line in lines], []
    while left := [line for line in left if line]:
        chosen = next((line[0] for line in left if not any(line[0] in other[1:] for other in left)), left[0][0])
        order.append(chosen)
        left = [[name for name in line if name != chosen] for line in left]
    return order


def test_it_is_that_of_python() -> None:
    class A: ...

    class B(A): ...

    class C(A): ...

    class D(B, C): ...

    class E(C): ...

    class F(D, E): ...

    lines = [[each.__name__ for each in class_.mro()] for class_ in (D, E)]
    assert ["F", *_order([*lines, ["D", "E"]])] == [each.__name__ for each in F.mro()]


@given(st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), max_size=6))
def test_any_lines_are_merged_as_defined(lines: list[list[str]]) -> None:
    assert _order(lines) == _compared(lines)


@pytest.mark.parametrize("shared", [True, False])
def test_its_steps_grow_with_the_lines(shared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    identity = class_order._identity
    asked: Counter[int] = Counter()

    def steps(count: int) -> int:
        def counted(item: Ancestor) -> int | str:
            asked[count] += 1
            return identity(item)

        monkeypatch.setattr(class_order, "_identity", counted)
        names = [f"base{number}" for number in range(count)]
        lines = [[name, *(["object"] * shared)] for name in names]
        assert len(_order([*lines, names])) == count + shared
        return asked[count]

    assert steps(20_000) < 11 * steps(2_000)
