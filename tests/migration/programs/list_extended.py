"""A container, not empty at import, that main extends."""

import multiprocessing
import sys

NAMES = ["a"]


def work(number):
    return len(NAMES)


def main():
    NAMES.append("b")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
