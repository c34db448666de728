"""Attributes of a function that only main reads, or only the import sets."""

import multiprocessing
import sys


def scale(number):
    return number * scale.factor


scale.factor = 2
scale.calls = 0


def main(method):
    scale.calls = 8
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scale, [1]), scale.calls)


if __name__ == "__main__":
    main(sys.argv[1])
