"""A variable of the environment that each of two objects sets, the second one after the server has started."""

import multiprocessing
import os
import sys


def work(number):
    return os.environ.get("LINTPICKLE_STAGE", "none")


class Backup:
    def __init__(self, stage, method):
        os.environ["LINTPICKLE_STAGE"] = stage
        self.context = multiprocessing.get_context(method)

    def results(self):
        with self.context.Pool(1) as pool:
            return pool.map(work, [1])


def main(method):
    first = Backup("first", method).results()
    second = Backup("second", method).results()
    print(first, second)


if __name__ == "__main__":
    main(sys.argv[1])
