"""The recursion limit, which only main sets."""

import multiprocessing
import sys


def work(number):
    def down(depth):
        return 0 if depth == 0 else 1 + down(depth - 1)

    try:
        return down(3000)
    except RecursionError:
        return "too deep"


def main():
    sys.setrecursionlimit(10_000)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
