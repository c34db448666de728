"""A global below the guard, taken from the dict of the module."""

import multiprocessing
import sys


def work(number):
    return number * globals()["FACTOR"]


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    FACTOR = 3
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))
