"""The precision of mpmath is set by main."""

import multiprocessing
import sys

import mpmath


def root(number):
    return str(mpmath.sqrt(number))


def main(method):
    mpmath.mp.dps = 30
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(root, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
