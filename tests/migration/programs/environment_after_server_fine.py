"""A variable of the environment that is set after the first worker has started, and that no worker asks for."""

import multiprocessing
import os
import sys


def work(number):
    return os.environ.get("LEVEL")


def main():
    with multiprocessing.Pool(1) as pool:
        pool.map(work, [1])
    os.environ["COLOUR"] = "2"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]), os.environ["COLOUR"])


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
