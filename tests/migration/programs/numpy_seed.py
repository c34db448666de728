"""NumPy's seed, which only main sets."""

import multiprocessing
import sys

import numpy


def work(number):
    return float(numpy.random.random()) == 0.5488135039273248


def main():
    numpy.random.seed(0)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
