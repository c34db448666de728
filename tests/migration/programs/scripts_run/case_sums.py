"""A script with cases."""

from registry import cases


@cases.case("quick", "sums")
def adding():
    assert 1 + 1 == 2
