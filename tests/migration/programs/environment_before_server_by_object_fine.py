"""A variable of the environment that an object sets when main makes it, before the first worker starts."""

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
    backup = Backup("first", method)
    print(backup.results())


if __name__ == "__main__":
    main(sys.argv[1])
