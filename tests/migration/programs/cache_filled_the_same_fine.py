"""Main puts into a cache what workers would."""

import multiprocessing
import sys

_prices = {}


def double(number):
    return number * 2


def price(number):
    if number not in _prices:
        _prices[number] = double(number)
    return _prices[number]


def main(method):
    for number in (1, 2):
        _prices[number] = double(number)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(price, [1, 3]))


if __name__ == "__main__":
    main(sys.argv[1])
