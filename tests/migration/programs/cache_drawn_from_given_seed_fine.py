"""A cache that main warms by a generator with the seed that it is given."""

import functools
import multiprocessing
import random
import sys


@functools.lru_cache(maxsize=None)
def sample(size, seed=0):
    draw = random.Random(seed)
    return [draw.random() for _ in range(size)]


def resampled(size):
    return sum(sample(size, seed=7))


def main(method):
    total = sum(sample(20, seed=7))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(resampled, [20]) == [total])


if __name__ == "__main__":
    main(sys.argv[1])
