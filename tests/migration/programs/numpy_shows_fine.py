"""How arrays are shown is set by main, and the worker only computes."""

import multiprocessing
import sys

import numpy as np


def total(values):
    return float(np.array(values).sum().round(3))


def main(method):
    np.set_printoptions(precision=2)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(np.array(pool.map(total, [[1 / 3, 2 / 3]])))


if __name__ == "__main__":
    main(sys.argv[1])
