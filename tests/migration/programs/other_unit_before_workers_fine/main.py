"""An object that sets a global when it is entered and puts it back when it is left, before the workers start."""

import multiprocessing
import sys

import units


def main(method):
    with units.OtherUnit("miles"):
        print(units.told(1))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(units.told, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
