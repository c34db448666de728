"""A function of another module that main replaces."""

import multiprocessing
import sys

import scoring


def work(number):
    return scoring.doubled(number)


if __name__ == "__main__":
    scoring.score = abs
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [-1]))
