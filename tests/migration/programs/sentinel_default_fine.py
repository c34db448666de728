"""The worker compares the default of its own module."""

import multiprocessing
import sys

MISSING = object()


def work(value=MISSING):
    print("nothing" if value is MISSING else "a value")


def main(method):
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
