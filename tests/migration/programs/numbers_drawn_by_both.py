"""An iterator that main and workers advance through one function."""

import itertools
import multiprocessing
import sys

_NUMBERS = itertools.count(1)


def named(name):
    return f"{name}-{next(_NUMBERS)}"


def main(method):
    first = [named("job"), named("job")]
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(first + pool.map(named, ["job"]))


if __name__ == "__main__":
    main(sys.argv[1])
