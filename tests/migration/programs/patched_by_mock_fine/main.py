"""A function that main replaces after the workers have ended, with `patch.object`."""

import multiprocessing
import sys
from unittest import mock

import rates


def price(amount):
    return amount * rates.rate()


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, [10]))
    with mock.patch.object(rates, "rate", trial_rate):
        print(price(10))


def trial_rate():
    return 2


if __name__ == "__main__":
    main(sys.argv[1])
