"""How NumPy treats errors, which only main sets."""

import multiprocessing
import sys

import numpy


def work(number):
    try:
        return float(numpy.log(numpy.float64(0)))
    except FloatingPointError:
        return "raised"


def main():
    numpy.seterr(all="raise")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
