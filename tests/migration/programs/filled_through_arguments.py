"""A list, a dict and an array of the module that main has filled by functions which are given them."""

import multiprocessing
import sys

import numpy as np

NAMES = ["a"]
SIZES = {"a": 1}
GRID = np.zeros(3)


class Loader:
    def fill(self, array, factor):
        np.multiply(np.arange(3), factor, out=array)

    def load(self, names, sizes):
        self.extend(names=names)
        sizes.update(b=2)

    @staticmethod
    def extend(names):
        names += ["b"]


def look(number):
    return NAMES[-number:], SIZES.get("b"), GRID[number].item()


def main(method):
    loader = Loader()
    loader.load(NAMES, SIZES)
    loader.fill(GRID, 10)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(look, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
