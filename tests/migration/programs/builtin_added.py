"""A name is added to the builtins by main."""

import builtins
import multiprocessing
import sys


def work(number):
    return profile(number)


def main(method):
    builtins.profile = abs
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [-1]))


if __name__ == "__main__":
    main(sys.argv[1])
