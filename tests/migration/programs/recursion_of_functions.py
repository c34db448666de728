"""Two functions call each other; main raises the recursion limit for that."""

import multiprocessing
import sys


def is_even(number):
    return number == 0 or is_odd(number - 1)


def is_odd(number):
    return number != 0 and is_even(number - 1)


def main(method):
    sys.setrecursionlimit(20_000)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(is_even, [3000]))


if __name__ == "__main__":
    main(sys.argv[1])
