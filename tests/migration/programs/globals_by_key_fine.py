"""Globals that main sets as items of `globals()`, and workers by their initializer."""

import multiprocessing
import sys

codec = None
size = None


def prepare(number):
    globals()["size"] = number
    globals()["codec"] = str.upper


def encode(data):
    return codec(data)[:size]


def make(data, number):
    prepare(number)
    with multiprocessing.Pool(1, prepare, (number,)) as pool:
        print(pool.map(encode, data))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    make(["abc", "def"], 2)
