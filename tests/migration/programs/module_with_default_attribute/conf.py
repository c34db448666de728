"""Settings, as attributes of this module."""

_values = {}


class NotConfiguredError(Exception):
    pass


def configure(**values):
    _values.update(values)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _values.get(name, 1)
