"""A counter of the module that main alone advances."""

import itertools
import multiprocessing
import sys

numbers = itertools.count(1)


def work(job):
    number, name = job
    return f"{number}-{name}"


def main(method):
    header = next(numbers)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(header, pool.map(work, [(next(numbers), "a")]))


if __name__ == "__main__":
    main(sys.argv[1])
