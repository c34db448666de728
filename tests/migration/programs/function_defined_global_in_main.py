"""A function that main defines again by a `global` statement."""

import multiprocessing
import sys


def score(number):
    return number


def work(number):
    return score(number)


def main(method):
    global score

    def score(number):
        return number * 100

    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
