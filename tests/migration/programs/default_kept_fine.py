"""Defaults of parameters that remember results, and that nobody fills before the workers do."""

import multiprocessing
import sys


def fibonacci(number, _known={}):
    if number not in _known:
        _known[number] = number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)
    return _known[number]


def collect(number, into=[]):
    into.append(number)
    return sum(into)


def both(number):
    return fibonacci(number), collect(number, [])


def main(method):
    print(fibonacci(5), collect(3, [2]))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(both, [7]))


if __name__ == "__main__":
    main(sys.argv[1])
