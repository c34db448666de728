"""Generators of random numbers that workers seed themselves, or from which main does not draw."""

import multiprocessing
import random
import sys

import numpy as np

shuffler = random.Random(5)
generator = np.random.default_rng(5)
other = np.random.default_rng(6)


def draw(count):
    shuffler.seed(count)
    return shuffler.random(), generator.integers(0, 100, count).tolist()


def main(method):
    print(shuffler.random(), other.random())
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(draw, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
