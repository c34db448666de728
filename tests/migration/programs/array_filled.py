"""An array of the module that main fills."""

import multiprocessing
import sys

import numpy as np

TABLE = np.zeros(4)


def looked_up(index):
    return float(TABLE[index])


def main(method):
    TABLE[:] = [1, 2, 3, 4]
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(looked_up, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
