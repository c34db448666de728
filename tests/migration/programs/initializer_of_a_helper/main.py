"""A helper's pool, whose workers call another function than main did."""

import sys

from pools import pool_with

BIAS = 0.0
VERBOSE = False


def configure(bias):
    global BIAS
    BIAS = bias


def set_verbose(verbose):
    global VERBOSE
    VERBOSE = verbose


def score(number):
    return BIAS + number


def main(method):
    configure(2.0)
    with pool_with(set_verbose, {"verbose": True}, method) as pool:
        print(pool.map(score, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
