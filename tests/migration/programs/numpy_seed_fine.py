"""A generator of the worker's own, with a seed."""

import multiprocessing
import sys

import numpy


def work(number):
    return float(numpy.random.default_rng(number).random())


def main():
    numpy.random.seed(0)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
