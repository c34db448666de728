"""An iterator that workers alone advance, through a function that main calls when they have ended."""

import itertools
import multiprocessing
import sys

_NUMBERS = itertools.count(1)


def named(name):
    return f"{name}-{next(_NUMBERS)}"


def worked(name):
    return named(name)


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(worked, ["job"]))
    print(named("end"))


if __name__ == "__main__":
    main(sys.argv[1])
