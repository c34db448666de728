"""The module numbers labels in the order of a set."""

import multiprocessing
import sys

WORDS = [f"word {number % 500}" for number in range(1000)]
LABELS = list(set(WORDS))


def work(place):
    return LABELS[place]


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, range(500)) == LABELS)


if __name__ == "__main__":
    main(sys.argv[1])
