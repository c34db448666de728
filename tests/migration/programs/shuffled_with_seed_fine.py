"""The module shuffles its list at import, always in the same way."""

import multiprocessing
import random
import sys

random.seed(7)
NAMES = [f"name {number}" for number in range(1000)]
random.shuffle(NAMES)


def work(place):
    return NAMES[place]


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, range(1000)) == NAMES)


if __name__ == "__main__":
    main(sys.argv[1])
