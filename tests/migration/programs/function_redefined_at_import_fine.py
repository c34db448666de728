"""A function that is defined again where every process imports it."""

import multiprocessing
import sys


def score(number):
    return number


if sys.maxsize:

    def score(number):
        return number * 100


def work(number):
    return score(number)


if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1]))
