"""Globals that main sets as items of `globals()`, and that are None at import."""

import multiprocessing
import sys

codec = None
size = None


def encode(data):
    return codec(data)[:size]


def make(data, size):
    globals()["size"] = size
    globals()["codec"] = str.upper
    with multiprocessing.Pool(1) as pool:
        print(pool.map(encode, data))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    make(["abc", "def"], 2)
