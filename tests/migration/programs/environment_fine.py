"""A variable that is set before the first worker starts goes along."""

import multiprocessing
import os
import sys


def work(number):
    return os.environ.get("LEVEL")


def main():
    os.environ["LEVEL"] = "2"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
