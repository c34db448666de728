"""A pool that an object is given, whose workers read what main alone sets."""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor

RATE = 1


def fee(amount):
    return amount * RATE


class Report:
    def __init__(self, executor):
        self.executor = executor

    def rows(self):
        return list(self.executor.map(fee, [1, 2]))


def main(method):
    global RATE
    RATE = 5
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context(method)) as executor:
        print(Report(executor).rows())


if __name__ == "__main__":
    main(sys.argv[1])
