"""How NumPy treats errors, where a worker only holds arrays."""

import multiprocessing
import sys

import numpy as np


def reverse(values):
    array = np.array(values)
    return array[::-1].tolist()


def main(method):
    np.seterr(divide="raise")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(reverse, [[0.0, 2.0]]))


if __name__ == "__main__":
    main(sys.argv[1])
