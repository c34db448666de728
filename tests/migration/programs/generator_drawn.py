"""A seeded generator of random numbers from which main draws before workers do."""

import multiprocessing
import random
import sys

import numpy as np

shuffler = random.Random(5)
generator = np.random.default_rng(5)


def draw(count):
    return shuffler.random(), generator.integers(0, 100, count).tolist()


def main(method):
    print(draw(2))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(draw, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
