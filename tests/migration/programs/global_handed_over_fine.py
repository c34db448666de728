"""A global text that main sets, and hands over to the initializer of its workers, which sets theirs."""

import multiprocessing
import sys

REFERENCE = ""


def begin(reference):
    global REFERENCE
    REFERENCE = reference


def find(part):
    return REFERENCE.find(part)


def main(method):
    global REFERENCE
    REFERENCE = "ACGTTG"
    with multiprocessing.get_context(method).Pool(1, initializer=begin, initargs=(REFERENCE,)) as pool:
        print(pool.map(find, ["TT"]))


if __name__ == "__main__":
    main(sys.argv[1])
