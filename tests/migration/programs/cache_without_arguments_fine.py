"""A cache that main warms, which workers fill in the same way."""
import multiprocessing
import sys
from functools import lru_cache
from multiprocessing import Pool


@lru_cache(maxsize=None)
def table(size):
    return tuple(number * number for number in range(size))


def work(number):
    return table(5)[number]


def main():
    print(len(table(5)))
    with Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
