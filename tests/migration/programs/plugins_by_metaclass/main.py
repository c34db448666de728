"""A registry that a metaclass fills, by imports that only main makes."""

import importlib
import multiprocessing
import sys

from shapes import known


def main(method):
    for name in ["square"]:
        importlib.import_module(name)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(known, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
