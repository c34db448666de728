"""A helper's pool, whose workers call the function that it is given."""

import sys

from pools import pool_with

BIAS = 0.0


def configure(bias):
    global BIAS
    BIAS = bias


def score(number):
    return BIAS + number


def main(method):
    options = {"bias": 2.0}
    configure(**options)
    with pool_with(configure, options, method) as pool:
        print(pool.map(score, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
