"""What the worker needs is an argument."""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor


def work(scale, number):
    return scale * number


def main():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(sys.argv[1])) as executor:
        print(executor.submit(work, 2, 1).result())


if __name__ == "__main__":
    main()
