"""A counter that a function advances which workers run, and main by way of another one that they run, too."""

import itertools
import multiprocessing
import sys

_numbers = itertools.count(1)


def new_name(prefix):
    return f"{prefix}{next(_numbers)}"


def create(kind):
    return new_name(kind)


def main(method):
    print([create("main") for _ in range(2)])
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(create, ["job"]))


if __name__ == "__main__":
    main(sys.argv[1])
