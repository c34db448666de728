"""A function that sets a global itself if it is missing."""

import multiprocessing
import sys


def work(number):
    global UNIT
    try:
        return f"{number}{UNIT}"
    except NameError:
        UNIT = "ft"
        return f"{number}{UNIT}"


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    UNIT = "ft"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))
