"""A cache that main fills from a file, which it removes before it starts workers."""

import functools
import multiprocessing
import os
import sys


@functools.lru_cache(maxsize=None)
def weight():
    with open("weight.txt") as file:
        return int(file.read())


def work(number):
    return number * weight()


def main(method):
    with open("weight.txt", "w") as file:
        file.write("3")
    weight()
    os.remove("weight.txt")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
