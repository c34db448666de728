"""An initializer does in each worker what main did."""

import multiprocessing
import sys

LEVEL = 1


def set_level(level):
    global LEVEL
    LEVEL = level


def work(number):
    return LEVEL


def main():
    set_level(2)
    with multiprocessing.Pool(1, initializer=set_level, initargs=(2,)) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
