"""An array of the module that main fills with what the workers return."""

import multiprocessing
import sys

import numpy as np

TABLE = np.zeros(4)


def computed(index):
    return index * len(TABLE)


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        TABLE[:] = pool.map(computed, range(4))
    print(TABLE)


if __name__ == "__main__":
    main(sys.argv[1])
