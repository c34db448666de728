"""A number of another module that nothing sets."""

import multiprocessing
import sys

import settings


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(settings.scaled, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
