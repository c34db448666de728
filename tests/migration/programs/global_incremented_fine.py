"""A global that main counts up, and no worker reads."""

import multiprocessing
import sys

COUNT = 1


def work(number):
    return number


def main():
    global COUNT
    COUNT += 1
    print(COUNT)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
