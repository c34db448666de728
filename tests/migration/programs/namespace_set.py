"""A namespace of the module whose attribute main sets."""

import multiprocessing
import sys
from types import SimpleNamespace

options = SimpleNamespace(scale=1, verbose=False)


def scaled(number):
    return number * options.scale


def main(method):
    options.scale = 3
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scaled, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
