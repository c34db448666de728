"""A container into which a function puts what it is told, which main and workers call."""

import multiprocessing
import sys

_store = {}


def remember(key, value=None):
    if value is not None:
        _store[key] = value
    return _store.get(key)


def main(method):
    remember("x", 100)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(remember, ["x"]))


if __name__ == "__main__":
    main(sys.argv[1])
