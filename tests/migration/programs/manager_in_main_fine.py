"""A manager of main, whose dict workers are given."""

import multiprocessing
import sys


def work(arguments):
    seen, number = arguments
    seen[number] = number * number


def main():
    seen = multiprocessing.Manager().dict()
    with multiprocessing.Pool(1) as pool:
        pool.map(work, [(seen, 1), (seen, 2)])
    print(dict(seen))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
