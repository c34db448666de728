"""A variable of the environment that is set anew for each pool of a loop."""

import multiprocessing
import os
import sys


def work(number):
    return os.environ.get("LEVEL")


def run(level):
    os.environ["LEVEL"] = level
    with multiprocessing.Pool(1) as pool:
        return pool.map(work, [1])


def main():
    for level in ("low", "high"):
        print(run(level))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
