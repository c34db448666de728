"""A function that `mock.patch` replaces while the workers start, in a function that is called there."""

import multiprocessing
import sys
from unittest import mock

import clock


def fixed():
    return 7


def ages(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.map(clock.age, [10])


def main(method):
    with mock.patch("clock.now", fixed):
        print(ages(method))


if __name__ == "__main__":
    main(sys.argv[1])
