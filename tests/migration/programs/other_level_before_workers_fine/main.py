"""A context manager that sets a global: main has left it when the workers start."""

import multiprocessing
import sys

import settings


def main(method):
    with settings.at_level(5):
        print(settings.weigh(2))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(settings.weigh, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
