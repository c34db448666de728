"""The module hashes a text at import."""

import multiprocessing
import sys

KEY = hash("training")


def work(number):
    return KEY


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]) == [KEY])


if __name__ == "__main__":
    main(sys.argv[1])
