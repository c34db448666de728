"""A flag of another module, set around the pool by way of a function."""
from multiprocessing import Pool

import states
import multiprocessing
import sys


def work(number):
    return "debug" if states.is_debug() else number


def run_all(numbers):
    with Pool(1) as pool:
        return pool.map(work, numbers)


def main():
    with states.debugging():
        print(run_all([1, 2]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
