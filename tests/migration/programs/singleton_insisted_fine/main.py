"""An object that main makes, and workers in their initializer."""

import multiprocessing
import sys

from store import Store

ROWS = {"a": 1}


def look_up(name):
    return Store.instance().rows[name]


def main(method):
    Store(ROWS)
    with multiprocessing.get_context(method).Pool(1, initializer=Store, initargs=(ROWS,)) as pool:
        print(pool.map(look_up, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
