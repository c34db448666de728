"""A counter of the module that workers alone advance, each its own."""

import itertools
import multiprocessing
import sys

numbers = itertools.count(1)


def work(name):
    return f"{next(numbers)}-{name}"


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
