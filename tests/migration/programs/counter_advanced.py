"""A counter of the module that main advances, and then a worker."""

import itertools
import multiprocessing
import sys

numbers = itertools.count(1)


def work(name):
    return f"{next(numbers)}-{name}"


def main(method):
    header = next(numbers)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(header, pool.map(work, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
