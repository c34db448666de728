"""A function imports the class to which it adds something."""

import multiprocessing
import sys

from units import convert


def add_units():
    from units import Units

    Units.factors["km"] = 1000


def main(method):
    add_units()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(convert, ["km"]))


if __name__ == "__main__":
    main(sys.argv[1])
