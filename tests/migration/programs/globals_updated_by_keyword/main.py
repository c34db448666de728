"""A number of another module that a function of it sets by a keyword."""

import multiprocessing
import sys

import settings


def is_long(text):
    return len(text) > settings.limit


def main(method):
    settings.configure()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(is_long, ["x" * 80]))


if __name__ == "__main__":
    main(sys.argv[1])
