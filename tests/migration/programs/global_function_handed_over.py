"""A global function that main makes, and hands over to the initializer of its workers, which sets theirs."""

import multiprocessing
import sys

REFERENCE = None


def begin(reference):
    global REFERENCE
    REFERENCE = reference


def find(part):
    return REFERENCE(part)


def main(method):
    global REFERENCE
    REFERENCE = lambda part: len(part)
    with multiprocessing.get_context(method).Pool(1, initializer=begin, initargs=(REFERENCE,)) as pool:
        print(pool.map(find, ["TT"]))


if __name__ == "__main__":
    main(sys.argv[1])
