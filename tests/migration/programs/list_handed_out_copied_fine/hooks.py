"""Functions that are called one after another, by the names of their chains."""

_chains = {"pre": [], "post": []}


def chain(name):
    return _chains[name]


def run(name, value):
    for step in chain(name):
        value = step(value)
    return value
