"""An attribute of a function that main sets."""

import multiprocessing
import sys


def scale(number):
    return number * scale.factor


scale.factor = 1


def main(method):
    scale.factor = 8
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scale, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
