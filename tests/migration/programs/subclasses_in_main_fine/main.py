"""A class that is asked for its subclasses: workers import the module that defines one, too."""

import multiprocessing
import sys

import style  # noqa: F401
from base import names


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(names, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
