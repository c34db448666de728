"""Main swaps standard output while its workers print, and back."""

import io
import multiprocessing
import sys


def fit(number):
    print("fitting", number, flush=True)
    return number


def main(method):
    old, sys.stdout = sys.stdout, io.StringIO()
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.map(fit, [1, 2])
    sys.stdout = old
    print(found)


if __name__ == "__main__":
    main(sys.argv[1])
