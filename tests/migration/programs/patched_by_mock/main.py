"""A function that main replaces for a trial run, with `patch.object`."""

import multiprocessing
import sys
from unittest import mock

import rates


def price(amount):
    return amount * rates.rate()


def main(method):
    with mock.patch.object(rates, "rate", trial_rate), multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, [10]))


def trial_rate():
    return 2


if __name__ == "__main__":
    main(sys.argv[1])
