"""A class that main opens, and whose method insists on that."""

import multiprocessing
import sys


class Store:
    opened = False

    @classmethod
    def open(cls):
        cls.opened = True

    @classmethod
    def path(cls, key):
        if not cls.opened:
            raise RuntimeError("store is not open")
        return f"/{key}"


def locate(key):
    return Store.path(key)


def main(method):
    Store.open()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(locate, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
