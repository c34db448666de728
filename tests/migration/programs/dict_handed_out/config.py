"""The configuration, which a function hands out."""

_values = {"width": 10, "fill": "."}


def current():
    return _values


def get(name):
    return _values[name]
