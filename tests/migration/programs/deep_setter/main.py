"""A setting that a function of another module sets, several calls deep."""

import multiprocessing
import sys

import configuration


def work(number):
    return configuration.level()


def main():
    configuration.start({"level": 2})
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
