"""Main makes warnings errors, and workers catch what NumPy warns of."""

import multiprocessing
import sys
import warnings

import numpy


def check(number):
    try:
        numpy.sqrt(number)
    except RuntimeWarning:
        return "no root"
    return "fine"


def main(method):
    warnings.simplefilter("error", category=RuntimeWarning)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(check, [4.0, -4.0]))


if __name__ == "__main__":
    main(sys.argv[1])
