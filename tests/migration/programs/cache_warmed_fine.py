"""A cache that main warms, and that each worker fills for itself."""

import functools
import multiprocessing
import sys

@functools.lru_cache
def square(number):
    return number * number


def work(number):
    return square(3)


def main():
    square(3)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
