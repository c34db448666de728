"""A function that is defined again under the main guard."""

import multiprocessing
import sys


def score(number):
    return number


def work(number):
    return score(number)


if __name__ == "__main__":
    if len(sys.argv) > 1:

        def score(number):
            return number * 100

    with multiprocessing.get_context(sys.argv[1]).Pool(1) as pool:
        print(pool.map(work, [1]))
