"""A package imports its modules by name, which fill a table; workers import it, too."""

import multiprocessing
import sys

from units import TABLE


def convert(name):
    return TABLE[name]


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(convert, ["mile"]))


if __name__ == "__main__":
    main(sys.argv[1])
