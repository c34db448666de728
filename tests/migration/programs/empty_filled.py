"""A container that is empty at import, and that main fills."""

import multiprocessing
import sys

SEEN = []


def work(number):
    return len(SEEN)


def main():
    SEEN.append(1)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
