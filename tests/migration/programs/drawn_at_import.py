"""The module draws weights at import."""

import multiprocessing
import sys

import numpy

WEIGHTS = numpy.random.rand(4)


def work(place):
    return WEIGHTS[place]


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, range(4)) == list(WEIGHTS))


if __name__ == "__main__":
    main(sys.argv[1])
