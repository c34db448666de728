"""A function that `mock.patch` replaces while no worker starts."""

import multiprocessing
import sys
from unittest import mock

import clock


def main(method):
    with mock.patch("clock.now", return_value=7):
        print(clock.age(5))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(clock.age, [10]))


if __name__ == "__main__":
    main(sys.argv[1])
