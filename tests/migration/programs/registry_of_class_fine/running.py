"""What workers run."""

import clean
from registry import Registry


def run(name, text):
    assert clean
    return Registry.get(name)(text)
