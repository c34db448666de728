"""The level that all modules use, and a way to have another one for a while."""

import contextlib

level = 1


@contextlib.contextmanager
def at_level(number):
    global level
    saved = level
    level = number
    try:
        yield
    finally:
        level = saved


def weigh(x):
    return x * level
