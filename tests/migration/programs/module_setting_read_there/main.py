"""Main gives a constant of another module another value, and a function of that module reads it in a worker."""

import multiprocessing
import sys

import texts


def main(method):
    texts.SEPARATOR = "_"
    texts.LIMIT *= 2
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(texts.slug, ["Hello Large World"]))


if __name__ == "__main__":
    main(sys.argv[1])
