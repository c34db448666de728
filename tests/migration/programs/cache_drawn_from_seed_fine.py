"""A cache that main warms by a generator with a seed: workers draw the same numbers."""

import functools
import multiprocessing
import random
import sys


@functools.lru_cache(maxsize=None)
def sample(size):
    draw = random.Random(1234)
    return [draw.random() for _ in range(size)]


def resampled(size):
    return sum(sample(size))


def main(method):
    total = sum(sample(20))
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(resampled, [20]) == [total])


if __name__ == "__main__":
    main(sys.argv[1])
