"""Variables of the environment that a dict gives anew for each pool of a loop."""

import multiprocessing
import os
import sys


LEVELS = {"low": {"LEVEL": "1"}, "high": {"LEVEL": "2"}}


def work(number):
    return os.environ.get("LEVEL")


def run(level):
    os.environ.update(LEVELS[level])
    with multiprocessing.Pool(1) as pool:
        return pool.map(work, [1])


def main():
    for level in LEVELS:
        print(run(level))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
