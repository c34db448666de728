"""Settings of a module that main loads."""
from concurrent.futures import ProcessPoolExecutor

import settings
import multiprocessing
import sys


def work(number):
    return number * settings.get().scale


def main():
    settings.load('{"scale": 4}')
    with ProcessPoolExecutor(1) as pool:
        print(list(pool.map(work, [1, 2])))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
