"""A variable of the environment that main sets before the first worker starts."""

import multiprocessing
import os
import sys


def work(number):
    return os.environ.get("LINTPICKLE_STAGE", "none")


def main(method):
    os.environ["LINTPICKLE_STAGE"] = "first"
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
