"""A variable of the environment that gets the same text for each pool of a loop."""

import multiprocessing
import os
import sys


def work(number):
    return os.environ.get("LEVEL")


def run(number):
    os.environ["LEVEL"] = "low"
    with multiprocessing.Pool(1) as pool:
        return pool.map(work, [number])


def main():
    for number in range(2):
        print(run(number))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
