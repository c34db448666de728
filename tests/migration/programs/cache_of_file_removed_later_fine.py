"""A cache that main fills from a file, which it removes when the workers have ended."""

import functools
import multiprocessing
import os
import sys


@functools.lru_cache(maxsize=None)
def weight(path):
    with open(path) as file:
        return int(file.read())


def work(path):
    return 2 * weight(path)


def main(method):
    path = "weight.txt"
    with open(path, "w") as file:
        file.write("3")
    weight(path)
    try:
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(pool.map(work, [path]))
    finally:
        os.unlink(path)


if __name__ == "__main__":
    main(sys.argv[1])
