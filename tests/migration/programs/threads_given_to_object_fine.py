"""Threads that an object is given, beside a process that reads nothing of what main sets."""

import multiprocessing
import sys
from concurrent.futures import ThreadPoolExecutor

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
    with ThreadPoolExecutor(1) as executor:
        print(Report(executor).rows())
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(abs, [-1]))


if __name__ == "__main__":
    main(sys.argv[1])
