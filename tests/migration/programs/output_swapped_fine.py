"""Main swaps standard output, and back before it starts workers."""

import io
import multiprocessing
import sys


def fit(number):
    print("fitting", number, flush=True)
    return number


def main(method):
    old, sys.stdout = sys.stdout, io.StringIO()
    fit(0)
    sys.stdout = old
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(fit, [1, 2]))


if __name__ == "__main__":
    main(sys.argv[1])
