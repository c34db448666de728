"""A namespace of the module of which main sets an attribute that no worker reads."""

import multiprocessing
import sys
from types import SimpleNamespace

options = SimpleNamespace(scale=2, verbose=False)


def scaled(number):
    return number * options.scale


def main(method):
    options.verbose = True
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scaled, [1]), options.verbose)


if __name__ == "__main__":
    main(sys.argv[1])
