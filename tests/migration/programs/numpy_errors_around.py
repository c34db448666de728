"""Main starts workers while NumPy raises errors."""

import multiprocessing
import sys

import numpy


def work(number):
    try:
        return float(numpy.log(numpy.float64(number)))
    except FloatingPointError:
        return "raised"


def main(method):
    with numpy.errstate(all="raise"), multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [0]))


if __name__ == "__main__":
    main(sys.argv[1])
