"""A step."""

from registry import Registry


@Registry.step("strip", order=1)
def strip(text):
    return text.strip()
