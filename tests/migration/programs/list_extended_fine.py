"""A container that the module itself extends, at import."""

import multiprocessing
import sys

NAMES = ["a"]
NAMES.append("b")


def work(number):
    return len(NAMES)


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
