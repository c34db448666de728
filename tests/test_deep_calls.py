"""Room for deep calls."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from lintpickle.deep_calls import with_room


def _call(depth: int, times: int) -> int:
    """Call a function so often at some depth of calls."""
    return _call(depth - 1, times) if depth else sum(_leaf(each) for each in range(times))


def _leaf(number: int) -> int:
    return number


def _pages_taken(call: Callable[[], object]) -> int:
    """How many pages of memory the system has given this process during a call."""
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    call()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def _at_all_depths() -> None:
    for depth in range(200):
        _call(depth, 1_000)


def test_what_a_call_gives() -> None:
    assert with_room(lambda: _call(100, 3)) == 3


def test_what_a_call_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        with_room(lambda: 1 // 0)


@pytest.mark.skipif(sys.version_info < (3, 11) or sys.platform != "linux", reason="has no such chunks, or counts else")
def test_no_memory_is_mapped_again_and_again() -> None:
    with_room(_at_all_depths)
    assert _pages_taken(_at_all_depths) > 500
    assert _pages_taken(lambda: with_room(_at_all_depths)) < 100
