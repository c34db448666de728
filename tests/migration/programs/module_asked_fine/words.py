_values = {"WORD": "hello "}


def override(**values):
    _values.update(values)


def __getattr__(name):
    try:
        return _values[name]
    except KeyError:
        raise AttributeError(name) from None
