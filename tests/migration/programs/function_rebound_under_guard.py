"""A function that the main guard binds to another one."""

import multiprocessing
import sys


def score(number):
    return number


def other(number):
    return -number


def work(number):
    return score(number)


if __name__ == "__main__":
    score = other
    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1]))
