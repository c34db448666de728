"""A global that main sets."""

import multiprocessing
import sys

LEVEL = 1


def work(number):
    return LEVEL


def main():
    global LEVEL
    LEVEL = 2
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
