"""An attribute of a function that main sets for itself: the function asks for another one."""

import multiprocessing
import sys


def score(number):
    return getattr(score, "weight", 1) * number


def main(method):
    score.title = "scores"
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(score.title, pool.map(score, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
