"""Main puts another value into a cache than workers would."""

import multiprocessing
import sys

_prices = {}


def price(number):
    if number not in _prices:
        _prices[number] = number * 2
    return _prices[number]


def main(method):
    _prices[3] = 100
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, [3]))


if __name__ == "__main__":
    main(sys.argv[1])
