"""A function that goes on without a global that stands below the guard."""

import multiprocessing
import sys


def work(number):
    try:
        return f"{number}{UNIT}"
    except NameError:
        return f"{number}m"


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    UNIT = "ft"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))
