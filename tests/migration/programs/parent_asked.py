"""A worker that asks whether main is its parent, which the server is."""

import multiprocessing
import os
import sys


def is_child(number):
    return os.getppid() == number


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(is_child, [os.getpid()]))


if __name__ == "__main__":
    main(sys.argv[1])
