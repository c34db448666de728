"""A worker that asks whether its parent is still the same."""

import multiprocessing
import os
import sys


def watch(number):
    parent = os.getppid()
    is_orphan = os.getppid() == 1 and parent != 1
    return number, os.getppid() != parent, is_orphan


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(watch, [3]))


if __name__ == "__main__":
    main(sys.argv[1])
