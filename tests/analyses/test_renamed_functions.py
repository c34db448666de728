"""Functions that code renames after it has made them: pickle finds them where that name leads to them."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
import functools
from concurrent.futures import ProcessPoolExecutor


def quiet(function):
    {wraps}
    def silent(*args):
        return function(*args)

    {inner}
    return silent


def named(function, name):
    made = quiet(function)
    {renaming}
    return made


def step(row):
    return row


quiet_step = {made}
{after}


def main():
    with ProcessPoolExecutor() as pool:
        print(pool.submit(quiet_step, 1).result())


if __name__ == "__main__":
    main()
"""
WRAPS = "@functools.wraps(function)"
NAMED = 'named(step, "quiet_step")'
BOTH = "made.__name__ = made.__qualname__ = name"


def _found(renaming: str = "", made: str = NAMED, after: str = "", inner: str = "", wraps: str = "") -> list[str]:
    text = TEXT.format(renaming=renaming, made=made, after=after, inner=inner, wraps=wraps)
    return [code for _, code in marks(text)]


@pytest.mark.parametrize("wraps", ["", WRAPS])
@pytest.mark.parametrize(
    "renaming",
    [
        BOTH,
        "made.__name__ = name\n    made.__qualname__ = name",
        "made.__qualname__ = made.__name__ = name",
        'setattr(made, "__qualname__", name)',
        "made.__qualname__ = made.__name__ = name  # the name of the module's variable",
    ],
)
def test_a_name_that_leads_to_it(renaming: str, wraps: str) -> None:
    assert _found(renaming, wraps=wraps) == []


@pytest.mark.parametrize(
    ("inner", "made", "after"),
    [
        ('silent.__qualname__ = f"quiet_{function.__name__}"', "quiet(step)", ""),
        ("", "quiet(step)", 'quiet_step.__qualname__ = "quiet_step"'),
    ],
)
def test_where_else_it_may_be_renamed(inner: str, made: str, after: str) -> None:
    assert _found(inner=inner, made=made, after=after) == []


@pytest.mark.parametrize(
    ("renaming", "made", "wraps", "code"),
    [
        ("made.__name__ = name", NAMED, "", "LP202"),
        ("made.__name__ = name", NAMED, WRAPS, "LP122"),
        (BOTH, 'named(step, "silent_step")', "", "LP202"),
        (BOTH, 'named(step, "step")', WRAPS, "LP122"),
        ("made.__qualname__ = function.__qualname__", NAMED, WRAPS, "LP122"),
        ("function.__qualname__ = name", NAMED, WRAPS, "LP122"),
        ("assert made.__qualname__ == name", NAMED, WRAPS, "LP122"),
    ],
)
def test_a_name_that_does_not_lead_to_it(renaming: str, made: str, wraps: str, code: str) -> None:
    assert _found(renaming, made, wraps=wraps) == [code]


@pytest.mark.parametrize(
    ("after", "found"),
    [('quiet_step.__qualname__ = "quiet_step"', []), ('quiet_step.__qualname__ = "other"', ["LP201"])],
)
def test_lambdas(after: str, found: list[str]) -> None:
    assert _found(made="lambda row: row", after=after) == found
