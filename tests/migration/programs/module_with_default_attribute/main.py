"""A module looks its attributes up in a table that main fills, and has a default for others."""

import multiprocessing
import sys

import conf


def scaled(number):
    return number * conf.scale


def main(method):
    conf.configure(scale=3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scaled, [1, 2]))


if __name__ == "__main__":
    main(sys.argv[1])
