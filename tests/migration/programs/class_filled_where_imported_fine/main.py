"""Workers add the same to the class that the function imports."""

import multiprocessing
import sys

from units import convert


def add_units():
    from units import Units

    Units.factors["km"] = 1000


def main(method):
    add_units()
    with multiprocessing.get_context(method).Pool(1, initializer=add_units) as pool:
        print(pool.map(convert, ["km"]))


if __name__ == "__main__":
    main(sys.argv[1])
