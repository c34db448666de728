"""Whether a keyword is among those that a function takes as they come decides a condition."""

from __future__ import annotations

import pytest

from ..support import marks

TEXT = """\
import copy


class Conversion:
    def __init__(self, {parameters}):
        {before}
        if {test}:
            self.first = {kept}
        else:
            self.others = {others}


def load(path, options):
    stream = open(path, "rb")
    return copy.deepcopy({made})


load("a", {{}})
"""
KEPT, OTHERS = "kwargs['stream'].tell()", "list(kwargs.values())"


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, False),
        ({"test": "'stream' not in kwargs", "kept": OTHERS, "others": KEPT}, False),
        ({"test": "'address' in kwargs", "made": "Conversion(stream=stream, address=1)"}, False),
        ({"test": "'missing' in kwargs", "kept": OTHERS, "others": KEPT}, False),
        ({"test": "'missing' in kwargs"}, True),
        ({"kept": "kwargs['stream']"}, True),
        ({"before": "kwargs.pop('address')"}, True),
        ({"before": "kwargs = dict(kwargs)"}, True),
        ({"before": "self.clean(kwargs)"}, True),
        ({"parameters": "stream, **kwargs", "others": "stream"}, True),
        ({"test": "'missing' in kwargs", "made": "Conversion(stream=stream, **options)"}, True),
        ({"test": "options in kwargs", "parameters": "options=None, **kwargs"}, True),
    ],
)
def test_what_the_call_passes(changed: dict[str, str], found: bool) -> None:
    """Whether the open file is found in the object that is copied."""
    parts = {
        "parameters": "**kwargs",
        "before": "pass",
        "test": "'stream' in kwargs",
        "kept": KEPT,
        "others": OTHERS,
        "made": "Conversion(stream=stream, address=1)",
    }
    assert [code for _, code in marks(TEXT.format(**{**parts, **changed}))] == ["LP110"] * found
