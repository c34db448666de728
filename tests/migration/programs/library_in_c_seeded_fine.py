"""A library in C whose random numbers each task seeds."""

import ctypes
import multiprocessing
import sys

libc = ctypes.CDLL(None)


def roll(count):
    libc.srand(count)
    return [libc.rand() % 6 + 1 for _ in range(count)]


def main(method):
    libc.srand(99)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(roll, [8]))


if __name__ == "__main__":
    main(sys.argv[1])
