import contextlib

_debug = False


def is_debug():
    return _debug


@contextlib.contextmanager
def debugging(on=True):
    global _debug
    old, _debug = _debug, on
    try:
        yield
    finally:
        _debug = old
