"""How NumPy treats errors, where a worker divides by an array."""

import multiprocessing
import sys

import numpy as np


def inverse(values):
    array = np.array(values)
    try:
        return (1.0 / array).tolist()
    except FloatingPointError as error:
        return str(error)


def main(method):
    np.seterr(divide="raise")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(inverse, [[0.0, 2.0]]))


if __name__ == "__main__":
    main(sys.argv[1])
