"""Workers ask if they are the main process by its id."""

import multiprocessing
import os
import sys

MAIN = os.getpid()


def work(number):
    return os.getpid() == MAIN


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
