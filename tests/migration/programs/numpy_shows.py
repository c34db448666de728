"""How arrays are shown is set by main, and the worker makes them into text."""

import multiprocessing
import sys

import numpy as np


def described(values):
    shares = np.array(values)
    return f"shares: {shares}"


def main(method):
    np.set_printoptions(precision=2)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(described, [[1 / 3, 2 / 3]]))


if __name__ == "__main__":
    main(sys.argv[1])
