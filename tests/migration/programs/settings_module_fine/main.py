"""A setting of another module, that this module sets at import."""

import multiprocessing
import sys

import settings as s

s.path = "/data"


def work(number):
    return s.path


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
