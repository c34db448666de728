"""An object that sets a global when it is entered, with workers that start before it is left."""

import multiprocessing
import sys

import units


def run(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(units.told, [2]))


def main(method):
    with units.OtherUnit("miles"):
        run(method)


if __name__ == "__main__":
    main(sys.argv[1])
