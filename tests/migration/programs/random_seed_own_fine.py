"""A generator of the worker's own, with a seed."""

import multiprocessing
import random
import sys


def work(number):
    return random.Random(number).randint(1, 10**12)


def main():
    random.seed(0)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
