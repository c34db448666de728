"""A function of the module that main replaces."""

import multiprocessing
import sys

def scale(number):
    return number


def double(number):
    return 2 * number


def work(number):
    return scale(number)


def main():
    global scale
    scale = double
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
