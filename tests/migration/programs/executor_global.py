"""A global that main sets, read in an executor's worker."""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

OPTIONS = {"scale": 1}


def work(number):
    return OPTIONS["scale"] * number


def main():
    OPTIONS["scale"] = 2
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(sys.argv[1])) as executor:
        print(executor.submit(work, 1).result())


if __name__ == "__main__":
    main()
