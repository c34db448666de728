"""An object that main makes, and that workers ask for."""

import multiprocessing
import sys

from store import Store


def look_up(name):
    return Store.instance().rows[name]


def main(method):
    Store({"a": 1})
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(look_up, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
