"""What workers run."""

from registry import Registry


def run(name, text):
    return Registry.get(name)(text)
