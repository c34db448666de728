"""What the worker needs is passed."""

import multiprocessing
import sys

LEVEL = 2


def work(number):
    return LEVEL + number


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
