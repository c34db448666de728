"""A module that reads a variable of the environment at import: another one is what main sets."""

import multiprocessing
import os
import sys

import conf


def work(number):
    return conf.MODE


def main(method):
    os.environ["LINTPICKLE_MODES"] = "fast"
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
