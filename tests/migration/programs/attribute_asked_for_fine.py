"""A worker asks for an attribute that nobody sets, or that is there at import."""

import multiprocessing
import sys

sys.build_tag = "ci"


def work(number):
    return getattr(sys, "build_tag", "local"), getattr(sys, "build_number", number)


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [-1]))


if __name__ == "__main__":
    main(sys.argv[1])
