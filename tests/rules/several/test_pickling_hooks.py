"""LP6xx: classes that cannot be rebuilt, beyond what the pages show; for each that fires, one that must not."""

from __future__ import annotations

import pytest

from tests.rules.pickling_hooks import rows


@pytest.mark.parametrize("code", ["LP606", "LP607"])
def test_classes_of_which_no_object_is_sent_are_for_pedants(code: str) -> None:
    source = """\
        class A(str):
            def __new__(cls, a, b): return str.__new__(cls, a)
        class B:
            __slots__ = ("a",)
            def __setattr__(self, name, value): raise TypeError("no")
        """
    assert rows(source, code) == []
